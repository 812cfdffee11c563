/** @needs sandbox compiler @slow */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toolsBin } from '../../../src/adapters/home.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { findSandbox } from '../../../src/adapters/process/sandbox.js';
import { createBuildSpec } from '../../../src/features/spack/node/build-spec.js';
import { createProveSpecs } from '../../../src/features/spack/node/prove-specs.js';
import type { Spec } from '../../../src/features/spack/schemas/environment.js';
import type { Result } from '../../../src/model/result.js';
import { aResult, aStep, anArtifact, newHome, runBody } from '../../support/run-body.js';
import {
  aLock,
  boatyard,
  boatyardWith,
  type Files,
  hashOf,
  importedFrom,
  RECIPES,
  recipeOf,
} from './an-environment.js';

const DOUBLE = join(__dirname, '../../doubles/spack');
const REAL = process.env['SLIPWAY_SPACK'];
/** The same lines for the double, and for a real Spack where there is one. */
const SPACKS = [['the double', DOUBLE], ...(REAL ? [['Spack', REAL] as const] : [])] as const;

/** A home whose store has the files of an environment as facts of a plan, and its entries. */
async function planned(spack: string, files: Files, { repos = '' } = {}) {
  const home = await newHome();
  const { made, facts } = importedFrom(files, repos === '' ? {} : { recipes: {} });
  expect(made.findings).toEqual([]);
  const record = JSON.stringify({ imports: { 'environments/stack': facts } });
  const { digest } = await anArtifact(home, 'facts', record);
  const worker = { ...process.env, SLIPWAY_SPACK: spack, SLIPWAY_SPACK_REPOS: repos };
  const sandbox = findSandbox({ toolsBin: toolsBin(), home, env: worker });
  const programs = createPrograms({ running: join(home, 'running'), graceMs: 1_000, sandbox });
  const around = { home, plan: { imports: { facts: digest, of: [] } }, surroundings: { programs } };
  const specs = new Map(made.entries.map(({ entry }) => [entry['name'], entry as unknown as Spec]));
  const paramsOf = (name: string) => {
    const { dependencies: _, network: _network, ...params } = specs.get(name)!;
    return params;
  };
  const stepOf = (name: string) => aStep('buildSpec', paramsOf(name), { id: `specs/${name}` });
  return {
    home,
    build: async (name: string, inputs: readonly Result[] = []): Promise<Result> =>
      aResult(
        stepOf(name),
        (await runBody(createBuildSpec({ env: worker, home }), stepOf(name), { ...around, inputs })).made,
      ),
    prove: async (...names: readonly string[]) => {
      const { hash: _hash, name: _name, version: _version, ...environment } = paramsOf(names[0]!);
      const params = { ...environment, specs: names.map((name) => paramsOf(name).hash) };
      return (await runBody(createProveSpecs({ env: worker, home }), aStep('proveSpecs', params), around)).made;
    },
  };
}

const pathsOf = ({ artifacts }: Result): readonly string[] => artifacts.flatMap(({ labels }) => labels['path'] ?? []);

describe.each(SPACKS)('given %s', (_, spack) => {
  test('when two specs are built, then the second takes the binary of the first', async () => {
    const { build } = await planned(spack, boatyard());
    const keel = await build('keel');
    expect(pathsOf(keel)).toHaveLength(3);
    expect(pathsOf(keel)[0]).toBe(
      'v3/manifests/spec/keel/keel-1.0-jbqqowgffc5qtmmxrcbmfu3ghom42ip4.spec.manifest.json',
    );
    const hull = await build('hull', [keel]);
    // rudder links with hull, which links with keel: it gets both from hull.
    const rudder = await build('rudder', [hull]);
    expect(rudder.note).toMatch(/^\/xrv2pac, \d+ KiB, 1 dependencies$/);
  });

  test('when the binary of a dependency is absent, then the spec fails', async () => {
    const { build } = await planned(spack, boatyard());
    await expect(build('hull')).rejects.toThrow('SPEC_FAILED: Spack could not build hull@1.0');
  });

  test('when the recipes are as locked, then the proof has the version of Spack', async () => {
    const { prove } = await planned(spack, boatyard());
    const { facts, note } = await prove('keel', 'hull', 'mast');
    expect(note).toBe(`Spack ${String(facts?.['spack'])}, 3 recipes as locked`);
  });

  test('when a recipe has other code than the lock was written for, then the proof fails', async () => {
    const files = boatyard();
    const mast = files[recipeOf('mast')]!.replace('return 1', 'return 2');
    const { prove } = await planned(spack, { ...files, [recipeOf('mast')]: mast });
    await expect(prove('keel', 'mast')).rejects.toThrow(
      /^RECIPE_DIFFERS: the recipe of mast@1\.0 has the hash \S+, and/,
    );
  });

  test('when only a comment of a recipe differs, then the proof passes', async () => {
    const files = boatyard();
    const { prove } = await planned(spack, { ...files, [recipeOf('mast')]: `${files[recipeOf('mast')]!}# a word\n` });
    expect((await prove('mast')).findings ?? []).toEqual([]);
  });

  test("when recipes are the worker's own, then their index is made once, in the shared cache", async () => {
    const repos = join(__dirname, '../../../examples/boatyard', RECIPES);
    const { home, prove, build } = await planned(spack, boatyard(), { repos });
    await prove('keel');
    const [key] = readdirSync(join(home, 'cache/spack'));
    const at = statSync(join(home, 'cache/spack', key!)).ctimeMs;
    expect(pathsOf(await build('keel'))).toHaveLength(3);
    expect(readdirSync(join(home, 'cache/spack'))).toEqual([key]);
    expect(statSync(join(home, 'cache/spack', key!)).ctimeMs).toBe(at);
  });

  test('when the worker has no repository for a spec, then the proof fails', async () => {
    const { prove } = await planned(spack, boatyardWith(aLock({ zlib: [] })));
    await expect(prove('zlib')).rejects.toThrow('RECIPE_UNREAD: Spack cannot load the recipe of zlib@1.0');
  });
});

test.each([
  ['fails', /^SPEC_FAILED: Spack could not build fails@1\.0 \(exit status 1\)/],
  ['leaves-nothing', /^SPEC_ABSENT: .* there is no manifest of it/],
  ['leaves-two', /^SPEC_ABSENT: .* it pushed other specs, leaves-two\/leaves-two-2-/],
  ['leaves-link', /^LINK_LEADS_OUT: /],
  ['leaves-other-bytes', /^SPEC_ABSENT: .* has another digest/],
])('given a spec that %s, then the step fails', async (name, message) => {
  const { build } = await planned(DOUBLE, boatyardWith(aLock({ [name]: [] })));
  expect(hashOf(name)).toHaveLength(32);
  await expect(build(name)).rejects.toThrow(message);
});

test('given a spec that leaves a link where the worker writes, then nothing is written through it', async () => {
  const trap = '/tmp/slipway-trap-of-a-test';
  rmSync(trap, { force: true });
  const { build } = await planned(DOUBLE, boatyardWith(aLock({ 'leaves-trap': [] })));
  expect(pathsOf(await build('leaves-trap'))).toHaveLength(3);
  expect(existsSync(trap)).toBe(false);
});
