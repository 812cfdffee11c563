import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { secretsOf } from '../../src/model/secret.js';
import type { Plan, StepOf } from '../../src/model/plan.js';
import { fakeClusters } from '../activities/clusters/fake-cluster.js';
import { codesOf } from '../activities/publish/release.js';
import { imported, TESTS } from '../importers/ray-files.js';
import { HEAD, planOf, someFacts, stepOf } from '../plan/a-plan.js';
import { rayParams } from '../support/a-cluster-test.js';
import { aStep, newHome, runBody } from '../support/run-body.js';

const KEY = 'canary-of-the-codec-71c4';
const BUILD = 'linux-x86_64';
/** Environment of a build worker: each name has a value that no test may see. */
const WORKER = { ...process.env, SLIPWAY_CODEC_KEYS: KEY, HOME: KEY, BUILD_TOKEN: KEY, SLIPWAY_BUILD_ENV: 'OTHER' };
const LINES = { up: '', nodes: '', put: '', get: '', run: '', down: '' };
const cluster = { ...rayParams().cluster, manager: { by: 'command', lines: LINES } } as const;

/** Variables that the script of a test on a cluster exports. */
async function seenBy(params: Partial<StepOf<'runOnCluster'>['params']>, env = WORKER): Promise<string> {
  let seen = '';
  const { clusters } = fakeClusters({
    answers: {
      run: (_, folder) => {
        seen = readFileSync(join(folder, 'run.env'), 'utf8');
        return 0;
      },
    },
  });
  const { runOnCluster } = makeBodies(['runOnCluster'], { archives: createArchives(), clusters });
  const step = aStep('runOnCluster', rayParams({ ...params, cluster }), { id: 'tests/spread', on: BUILD });
  await runBody(runOnCluster, step, { surroundings: { env } });
  return seen;
}

/** `env` of the one test of a Ray YAML in a commit. */
function importedEnv(...variables: readonly string[]): object {
  const test = { name: 'spread', group: 'g', team: 't', frequency: 'nightly', working_dir: 'core' };
  const own = { cluster_compute: 'one.yaml', byod: { runtime_env: variables } };
  const files = {
    [TESTS]: JSON.stringify([{ ...test, cluster: own, run: { timeout: 1, script: 'python a.py' } }]),
    'release/core/one.yaml': 'head_node: { instance_type: m5.large }\nworker_nodes: []\n',
  };
  const { entries, findings } = imported(files);
  expect(findings).toEqual([]);
  return entries[0]!.entry['env'] as object;
}

/** Parameters of the test that a release file with this `env` plans. */
function planned(env: object, facts = someFacts()): StepOf<'runOnCluster'>['params'] {
  const file = `${HEAD}deps: { ray: { requires: ['ray[default]'] } }
clusters: { one: { manager: local, cpus: 2 } }
tests: { spread: { needs: ['deps/ray'], cluster: one, run: python a.py, env: ${JSON.stringify(env)} } }
`;
  const step = stepOf(planOf(file, facts), 'tests/spread/cp311/linux-x86_64');
  return (step as unknown as StepOf<'runOnCluster'>).params;
}

describe("[D4] a commit's files read the environment of the build worker", () => {
  test.each(['$SLIPWAY_CODEC_KEYS', '$HOME', '$BUILD_TOKEN', '$$HOME', '$OTHER', 'file:/etc/hostname', 'command:id'])(
    'given a Ray YAML with A=%s, then the test gets this text and no value',
    async (text) => {
      const seen = await seenBy(planned(importedEnv(`A=${text}`)), { ...WORKER, OTHER: KEY } as typeof WORKER);
      expect(seen).toContain(`export A='${text}'\n`);
      expect(seen).not.toContain(KEY);
    },
  );

  test.each(['SLIPWAY_CODEC_KEYS', 'HOME', 'BUILD_TOKEN'])(
    'given a Ray YAML with the name %s alone, then the step is refused unless SLIPWAY_BUILD_ENV lists the name',
    async (name) => {
      const params = planned(importedEnv(name));
      const refused: unknown = await seenBy(params).catch((thrown: unknown) => thrown);
      expect(codesOf(refused)).toEqual(['SECRET_NOT_LISTED']);
      expect(JSON.stringify((refused as { problems: unknown }).problems)).toContain(`SLIPWAY_BUILD_ENV=${name}`);
      expect(await seenBy(params, { ...WORKER, SLIPWAY_BUILD_ENV: `X, ${name}` })).toContain(`='${KEY}'\n`);
    },
  );

  test('given a plan from before with the value of a YAML as it was, then the step is refused', async () => {
    const refused: unknown = await seenBy({ env: { A: '$SLIPWAY_CODEC_KEYS' } }).catch((thrown: unknown) => thrown);
    expect(codesOf(refused)).toEqual(['SECRET_NOT_LISTED']);
  });

  test('given a branch with the name of a variable, then a test that names the branch gets the name', async () => {
    const git = { commit: '0'.repeat(40), branch: '$BUILD_TOKEN', versions: {}, epoch: 0 } as never;
    const { env } = planned({ A: '{branch}' }, someFacts({ git }));
    const seen = await seenBy({ env, test: { run: 'true', vars: { SLIPWAY_BRANCH: '$BUILD_TOKEN' }, limitMs: 1000 } });
    for (const name of ['A', 'SLIPWAY_BRANCH']) expect(seen).toContain(`export ${name}='$BUILD_TOKEN'\n`);
    expect(seen).not.toContain(KEY);
  });

  test('given `env` of another section, then its program gets the text', async () => {
    const command = { folder: '.', where: { in: 'host' }, outputs: [], expect: null, run: 'echo "A is $A"' } as const;
    const step = aStep('runCommand', { ...command, env: { A: '$BUILD_TOKEN' } }, { on: BUILD });
    const home = await newHome();
    const programs = createPrograms({ running: join(home, 'running'), sandbox: 'for this test' });
    const { runCommand } = makeBodies(['runCommand'], { programs, archives: createArchives(), containers: null });
    const plan = { isolation: 'none' } as Partial<Plan>;
    const { log } = await runBody(runCommand, step, { home, plan, surroundings: { env: WORKER, programs } });
    expect(log).toContain('A is $BUILD_TOKEN\n');
  });

  test('given a name that a test on a cluster looks up, then a policy and the logs know of it', () => {
    const params = rayParams({ env: { A: '$BUILD_TOKEN', B: '$$HOME', C: 'text' } });
    expect(secretsOf({ steps: [aStep('runOnCluster', params)] })).toEqual(['$BUILD_TOKEN']);
  });
});
