import { join } from 'node:path';
import { readInputs } from '../../src/activities/step/inputs.js';
import { keyOf } from '../../src/activities/step/reuse.js';
import { gatherFacts } from '../../src/adapters/facts/index.js';
import type { JsonObject } from '../../src/model/json.js';
import { cacheOf, type KindName } from '../../src/model/kinds.js';
import type { Params } from '../../src/model/params.js';
import type { Plan, StepOf } from '../../src/model/plan.js';
import type { Result } from '../../src/model/result.js';
import { ReleaseFile } from '../../src/model/schema/release-file.js';
import { plan } from '../../src/plan/plan.js';
import { sha256 } from '../plan/a-plan.js';
import { NO_RUNS } from '../support/no-runs.js';
import { aResult } from '../support/run-body.js';

const ROOT = join(__dirname, '..', '..');
type Content = ReturnType<typeof ReleaseFile.parse>;

const known = new Map<string, ReturnType<typeof gatherFacts>>();

/** The plan of an example, after a change of its file. */
async function planned(example: string, change: (content: Content) => object = () => ({})): Promise<Plan> {
  const gathered = known.get(example) ?? gatherFacts(`examples/${example}`, 'local', ROOT, {}, NO_RUNS);
  known.set(example, gathered);
  const { file, facts } = await gathered;
  const git = facts.git && { ...facts.git, commit: '0'.repeat(40), branch: 'main' };
  return plan({ ...file, content: { ...file.content, ...change(file.content) } }, { ...facts, git });
}

/** Sections of another file. */
const parsed = (sections: object): Content =>
  ReleaseFile.parse({ slipway: 1, release: { name: 'x', version: '1' }, source: { git: '.' }, ...sections });

interface Machine {
  readonly machine?: string;
  readonly libc?: string;
  /** Versions of some tools and Pythons; the others have 1.0. */
  readonly versions?: Readonly<Record<string, string>>;
}

/** Facts that the proof of a queue would have there. */
function proved({ tools, pythons, queue }: Params['proveQueue'], { versions = {}, ...at }: Machine): JsonObject {
  const table = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, versions[name] ?? '1.0']));
  const pin = { machine: 'linux-x86_64', libc: 'glibc 2.36', ...at, tools: table(tools), pythons: table(pythons) };
  return { ...pin, toolchain: sha256(JSON.stringify([pin, queue])) };
}

/** Keys of all steps with a cache, as attempts compute them. A step's bytes follow from its key. */
async function keysOf(made: Plan, machine: Machine = {}): Promise<ReadonlyMap<string, string>> {
  const steps = new Map(made.steps.map((step) => [step.id, step as StepOf<KindName>]));
  const results = new Map<string, Promise<Result | null>>();
  const make = async (step: StepOf<KindName>): Promise<Result> => {
    if (step.kind === 'proveQueue')
      return aResult(step, { facts: proved(step.params as Params['proveQueue'], machine) });
    const key = keyOf(made, step, await readInputs(resultOf, made, step), sha256);
    const artifact = { kind: 'file', name: step.id, digest: key, size: 1, labels: {} } as const;
    return { ...aResult(step, { artifacts: [artifact], facts: step.stage === 'source' ? { epoch: 7 } : {} }), key };
  };
  const resultOf = (id: string): Promise<Result | null> => {
    const step = steps.get(id);
    const found = results.get(id) ?? (step ? make(step) : Promise.resolve(null));
    results.set(id, found);
    return found;
  };
  const cached = [...steps.values()].filter((step) => cacheOf(step) !== 'always' && !BY_TARGET.includes(step.stage));
  return new Map(await Promise.all(cached.map(async ({ id }) => [id, (await resultOf(id))!.key] as const)));
}

/** Such steps ask targets, so each run carries them out. */
const BY_TARGET = ['prove', 'publish', 'verify', 'point', 'report'];

/** Steps of the first plan that the second makes anew. */
async function rebuilt(before: Plan, after: Plan, machine: Machine = {}): Promise<readonly string[]> {
  const [was, is] = [await keysOf(before), await keysOf(after, machine)];
  return [...was].filter(([id, key]) => is.get(id) !== key).map(([id]) => id);
}

/** Their commits or sdists are known here. json-java asks for a clone of its own. */
const EXAMPLES = [
  ...[
    'skiff',
    'jep',
    'ray',
    'ray-whole',
    'ray-night',
    'strangers/pyyaml',
    'strangers/python-ldap',
    'strangers/levenshtein',
  ],
  ...['lifecycle', 'boatyard', 'readline', 'wheel-cache'],
];

const withStep = (name: string, step: object) => (content: Content) => {
  const [source] = content.source === undefined ? Object.keys(content.sources) : [];
  const { steps } = parsed({ steps: { [name]: { run: 'true', ...step, ...(source && { source }) } } });
  return { steps: { ...content.steps, ...steps } };
};

describe.each(EXAMPLES)('given the example %s', (example) => {
  test.each([
    ['with tools', { tools: ['kubectl', 'zz'] }],
    ['with Debian packages', { packages: ['libfoo-dev'] }],
  ])('when an unrelated entry %s is added, then everything else is reused', async (_, step) => {
    const after = await planned(example, withStep('unrelated', step));
    expect(after.steps.map(({ id }) => id)).toContain('steps/unrelated');
    expect(await rebuilt(await planned(example), after)).toEqual([]);
  });
});

test.each(EXAMPLES.slice(0, 7))(
  'given %s with another package and another Python, then everything else is reused',
  async (example) => {
    const more = parsed({ wheels: { extra: { folder: 'extra', tools: ['cargo'], repair: false } } }).wheels;
    const after = await planned(example, ({ pythons, wheels }) => ({
      pythons: [...pythons, 'cp315'],
      wheels: { ...wheels, ...more },
    }));
    expect(after.steps.filter(({ id }) => /^wheels.extra.*cp315/.test(id))).not.toEqual([]);
    expect(await rebuilt(await planned(example), after)).toEqual([]);
  },
);

test('given another version of a tool, then the steps that use it are made anew with those that use their bytes', async () => {
  const skiff = await planned('skiff');
  const anew = await rebuilt(skiff, skiff, { versions: { mvn: '3.9.1' } });
  expect(anew.map((id) => id.split('/').slice(0, 2).join('/'))).toEqual(
    expect.arrayContaining(['jars/skiff', 'tests/jvm']),
  );
  expect(anew.filter((id) => /^(sdists|wheels|deps|jars.native|tests.venv)\//.test(id))).toEqual([]);
  const python = await rebuilt(skiff, skiff, { versions: { cp312: '3.12.9' } });
  expect(python.length).toBeGreaterThan(0);
  expect(python.filter((id) => !id.includes('cp312'))).toEqual([]);
});

test.each([{ machine: 'linux-aarch64' }, { libc: 'glibc 2.41' }])(
  'given %p, then all steps with tools are made anew',
  async (at) => {
    const skiff = await planned('skiff');
    const made = skiff.steps.filter(({ toolchain, stage }) => toolchain !== null && !BY_TARGET.includes(stage));
    expect(await rebuilt(skiff, skiff, at)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  },
);
