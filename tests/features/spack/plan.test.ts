import { tryKey } from '../../../src/engine/cache/key-parts.js';
import { FEATURE_PLANS } from '../../../src/features/plan.js';
import { importSpack } from '../../../src/features/spack/pure/import-spack.js';
import type { EnvironmentImport } from '../../../src/features/spack/schemas/environment.js';
import type { Plan, StepOf } from '../../../src/model/plan.js';
import { framed, importsOf, withImports } from '../../../src/plan/imports.js';
import { plan } from '../../../src/plan/plan.js';
import { readReleaseFile } from '../../../src/plan/read/release-file.js';
import { HEAD, problemsOf, sha256, someFacts, stepOf } from '../../plan/a-plan.js';
import { boatyard, importedFrom } from './an-environment.js';

function planned(more: string, files = boatyard(), say: Partial<EnvironmentImport> = {}) {
  const bases = say.images === undefined ? '' : 'bases: { deb: { debian: bookworm } }\n';
  const text = `${HEAD}${bases}environments:
  stack: { import: spack, file: env/spack.yaml, recipes: { boatyard: recipes/spack_repo/boatyard }${more} }
`;
  const file = readReleaseFile(text, 'slipway.yaml');
  const [one] = importsOf(file);
  const { network, spack } = one!.say as EnvironmentImport;
  const { made } = importedFrom(files, { network, ...(spack !== undefined && { spack }), ...say });
  const entries = framed(file, one!, made.entries);
  const imports = { facts: sha256('facts'), of: [] };
  const read = withImports(file, { [one!.id]: entries }, imports, { spack: importSpack as never });
  return plan(read, someFacts({ features: FEATURE_PLANS }));
}

test('given a lock, then each spec waits for the specs it needs and for the proof of its queue', () => {
  const made = planned('');
  const { needs, toolchain, params } = stepOf(made, 'specs/hull-1.0-sh3j46b');
  expect(needs).toEqual(['specs/keel-1.0-jbqqowg', 'prove/specs/stack.linux-x86_64']);
  expect(toolchain).toBe('prove/queue/linux-x86_64');
  expect(params).toEqual({
    ...{ hash: 'sh3j46buel7ntwok2v2g6g4xvursvw6x', name: 'hull', version: '1.0' },
    ...{ environment: 'environments/stack', file: 'env/spack.yaml' },
    recipes: { boatyard: 'recipes/spack_repo/boatyard' },
    retryFailedMs: 604_800_000,
    settings: expect.stringMatching(/^sha256:/) as unknown,
    where: { in: 'host' },
  });
  expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({ tools: ['spack'], can: ['sandbox'] });
});

test('given a plan without some specs, then the key under which a failure of another is remembered is the same', () => {
  const made = planned('');
  const hull = stepOf(made, 'specs/hull-1.0-sh3j46b') as StepOf<'buildSpec'>;
  const steps = made.steps.map((step) =>
    step.kind === 'proveSpecs' ? { ...step, params: { ...step.params, specs: [hull.params.hash] } } : step,
  );
  const keyOf = (plan: Plan, step = hull): string => tryKey(plan, step, sha256);
  expect(keyOf({ ...made, steps })).toBe(keyOf(made));
  expect(keyOf(made, { ...hull, params: { ...hull.params, settings: 'others' } })).not.toBe(keyOf(made));
});

test('given keys of the entry, then each spec has them', () => {
  const step = stepOf(planned(', on: gpu, timeout: 5m, network: true, retryFailed: 2d'), 'specs/keel-1.0-jbqqowg');
  expect([step.on, step.limitMs]).toEqual(['gpu', 300_000]);
  expect(step.params).toMatchObject({ network: true, retryFailedMs: 172_800_000 });
  expect(step.needs).toEqual(['prove/specs/stack.gpu']);
});

test('given the Spack that the environment asks for, then the proof has it, and no key of a spec changes', () => {
  const made = planned(', spack: "1.2"');
  expect(stepOf(made, 'prove/specs/stack.linux-x86_64').params).toMatchObject({ spack: '1.2' });
  expect(stepOf(made, 'specs/keel-1.0-jbqqowg')).toEqual(stepOf(planned(''), 'specs/keel-1.0-jbqqowg'));
  expect(problemsOf(`${HEAD}environments: { s: { import: spack, file: spack.yaml, spack: develop } }\n`)).toMatchObject(
    [{ message: expect.stringContaining('a version of Spack (1.1, 1.2.0.dev0), or at least 7 digits') as unknown }],
  );
});

test('given an image of jobs that a base stands for, then specs are built in it, and the queue must have containers', () => {
  const image = boatyard()['env/spack.yaml']!.replace('tags: [spack]', 'tags: [spack]\n        image: site/deb12');
  const made = planned('', boatyard({ 'env/spack.yaml': image }), { images: { 'site/*': 'deb' } });
  const { needs, params } = stepOf(made, 'specs/keel-1.0-jbqqowg');
  expect(needs).toEqual(['bases/deb', 'prove/specs/stack.linux-x86_64']);
  expect(params).toMatchObject({ where: { in: 'container', base: 'bases/deb' } });
  expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({ can: ['container', 'sandbox'] });
});

test('given specs in the release file, then they are refused', () => {
  const [problem] = problemsOf(`${HEAD}specs: { zlib: {} }\n`);
  expect(problem?.message).toContain('a release file has no specs of its own');
});
