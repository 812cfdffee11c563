/** @long @needs temporal */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Worker, bundleWorkflowCode } from '@temporalio/worker';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { Store } from '../../src/activities/ports.js';
import type { Digest } from '../../src/model/digest.js';
import { CONTROL, RELEASE_WORKFLOW } from '../../src/model/ids.js';
import { canonical } from '../../src/model/json.js';
import type { ReleaseInput } from '../../src/model/messages.js';
import { createSaveCheckpoint } from '../../src/activities/report/checkpoints.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { slipway } from '../support/own-services.js';
import { aPlan, aStep, newHome } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { signPlan } from '../support/sign-plan.js';
import { until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';
import { startTemporal } from '../temporal-env.js';

/** Another local user, or anything else that reaches the port of Temporal, against the workers of this user. */
const MACHINE = machineName();
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
let env: TestWorkflowEnvironment;
let home: string;
let attackers: string;
let mine: string;
let mark: string;
let store: Store;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  [env, home, attackers, mine] = await Promise.all([startTemporal(), homeWithWorkflows(), newHome(), newHome()]);
  mark = join(attackers, 'mark');
  store = createDirectoryStore(join(home, 'store'));
  for (const role of [['--workflows'], ['--queue', CONTROL], ['--queue', MACHINE]]) {
    workers.push(startWorkerProcess(role, surroundings()));
  }
  await untilServed(env.connection, CONTROL, MACHINE);
});
afterAll(async () => {
  workers.forEach((worker) => worker.kill('SIGKILL'));
  await env?.teardown();
});

const surroundings = (): Record<string, string> => ({
  ...{ PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/' },
  ...{ SLIPWAY_HOME: home, TEMPORAL_ADDRESS: env.address },
});

/** A project whose one step writes the mark, on a queue without workers where `on` says so. */
function project(folder: string, name: string, on = MACHINE): string {
  mkdirSync(folder, { recursive: true });
  const text = `slipway: 1
release: { name: ${name}, version: '1.0' }
source: { git: . }
platforms: [linux-x86_64]
pythons: [cp311]
steps:
  take: { run: 'touch ${mark}', on: ${on} }
`;
  writeFileSync(join(folder, 'slipway.yaml'), text);
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], { cwd: folder });
  git('init', '-q', '-b', 'main', '.');
  git('add', '.');
  git('commit', '-q', '-m', name);
  return join(folder, 'slipway.yaml');
}

let count = 0;
/** The message of the failure that ends a workflow. */
async function startedByStranger(args: readonly unknown[], name: string, type = RELEASE_WORKFLOW): Promise<string> {
  const workflowId = type === RELEASE_WORKFLOW ? `rehearsal/${name}/1.0` : `strange/${++count}`;
  const started = env.client.workflow.execute(type, { workflowId, taskQueue: CONTROL, args: [...args] });
  const ended = await started.then(
    () => 'it ended well',
    (error: Error) => String((error.cause as Error | undefined)?.message ?? error.message),
  );
  return ended;
}
const startWith = (input: unknown, name: string): Promise<string> => startedByStranger([input], name);

const planOf = (name: string) =>
  aPlan({
    release: { name, version: '1.0' },
    profile: { name: 'local', rehearsal: true },
    steps: [
      aStep(
        'runCommand',
        { run: `touch ${mark}`, env: {}, folder: '.', where: { in: 'host' }, outputs: [], expect: null },
        { id: 'steps/take', on: MACHINE },
      ),
    ],
  });

async function stored(plan: object): Promise<Digest> {
  const bytes = Buffer.from(canonical(plan));
  return (
    await store.put(
      (async function* () {
        yield bytes;
      })(),
    )
  ).digest;
}

afterEach(() => expect(existsSync(mark)).toBe(false));

describe('[C1] another user starts a release', () => {
  test('given their own file, then it is refused, because no run of ours named its folder', async () => {
    const file = project(join(attackers, 'theirs'), 'theirs');
    expect(await startWith({ file, profile: 'local' } satisfies ReleaseInput, 'theirs')).toContain(
      'RELEASE_FILE_OUTSIDE',
    );
  });

  test('given a link in our folder to their file, then it is refused', async () => {
    const own = join(mine, 'linked');
    project(own, 'linked', 'gpu');
    await slipway(own, ['run', '--wait'], surroundings());
    symlinkSync(join(attackers, 'theirs'), join(own, 'more'));
    expect(await startWith({ file: join(own, 'more', 'slipway.yaml') }, 'theirs')).toContain('RELEASE_FILE_OUTSIDE');
  });

  test('given a missing file elsewhere, then the answer is the same as for an existing one', async () => {
    expect(await startWith({ file: join(attackers, 'absent', 'slipway.yaml') }, 'absent')).toContain(
      'RELEASE_FILE_OUTSIDE',
    );
  });

  test('given a plan in the input, then it is refused', async () => {
    expect(await startWith({ plan: planOf('inline') }, 'inline')).toContain('PLAN_NOT_A_DIGEST');
  });

  test('given the digest of a plan in another store, then it is refused', async () => {
    expect(await startWith({ plan: `sha256:${'a'.repeat(64)}` }, 'elsewhere')).toContain('PLAN_ABSENT');
  });

  test('given an unsigned plan placed in our store, then it is refused', async () => {
    expect(await startWith({ plan: await stored(planOf('planted')) }, 'planted')).toContain('PLAN_NOT_SIGNED');
  });

  test('given a signature of another home, then it is refused', async () => {
    const plan = await stored(planOf('forged'));
    const other = await newHome();
    await signPlan(other, store, plan);
    expect(await startWith({ plan }, 'forged')).toContain('PLAN_NOT_SIGNED');
    await signPlan(home, store, plan);
    expect(await startWith({ plan }, 'other')).toContain('WORKFLOW_ID_MISMATCH');
  });
});

describe('[C1] another user starts a part of a run', () => {
  test('given a later history with a forged checkpoint, then it is refused', async () => {
    const skeleton = aSkeleton([{ id: 'steps/take', kind: 'runCommand', on: MACHINE }]);
    const planted = createSaveCheckpoint(store);
    const state = {
      skeleton,
      scheduler: {},
      cancelled: null,
      refused: [],
      failedNotifications: [],
      pendingNotifications: [],
      unaudited: [],
    };
    const checkpoint = await planted({ run: 'r', checkpoint: state });
    const around = { run: 'r', first: 'r', startedAt: 0, history: 2, inputs: 0, actions: 0 };
    const continued = { checkpoint, ...around };
    expect(await startWith({ continued }, 'thing')).toContain('CONTINUED_BY_HAND');
    expect(await startWith({ continued: 7 }, 'thing')).toContain('CONTINUED_BY_HAND');
  });

  test('given a request to cancel another workflow, then it is refused', async () => {
    expect(await startedByStranger(['rehearsal/thing/1.0', 'r'], 'thing', 'requestCancel')).toContain(
      'WORKFLOW_STARTED_BY_HAND',
    );
  });

  test('given an activity on our queue, from their own workflow and worker, then it is refused', async () => {
    const plan = await stored(planOf('direct'));
    const signed = await stored(planOf('signed'));
    await signPlan(home, store, signed);
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: 'strange',
      workflowBundle: await bundleWorkflowCode({
        ...{ workflowsPath: join(__dirname, 'stranger-workflow.ts'), logger: new DefaultLogger('ERROR') },
      }),
    });
    const schedule = (queue: string, type: string, input: unknown): Promise<string> =>
      env.client.workflow
        .execute('scheduleAny', { workflowId: `s/${++count}`, taskQueue: 'strange', args: [queue, type, input] })
        .then(
          (answer) => JSON.stringify(answer),
          (error: { cause?: { cause?: Error } }) => error.cause?.cause?.message ?? String(error),
        );
    const input = { plan, step: 'steps/take', run: 'run-1', attempt: 1 };
    await worker.runUntil(async () => {
      expect(await schedule(MACHINE, 'runCommand', input)).toMatch(/no planner of this worker's home signed/);
      const outside = { ...input, plan: signed, run: '/../../../../elsewhere' };
      expect(await schedule(MACHINE, 'runCommand', outside)).toMatch(/another program scheduled this activity: run is/);
      expect(await schedule(CONTROL, 'keepAudit', { run: '../x', actions: [] })).toMatch(/run is/);
      expect(await schedule(CONTROL, 'openGate', { ...input, workflowId: 'w' })).toMatch(/signed the plan/);
    });
  });
});

describe('[C1] another user changes our file', () => {
  test('given a folder that they may write, then it is refused with what to type', async () => {
    const own = join(mine, 'open');
    const file = project(own, 'open', 'gpu');
    await slipway(own, ['run', '--wait'], surroundings());
    chmodSync(own, 0o777);
    const said = await startWith({ file }, 'open');
    expect(said).toContain('RELEASE_FILE_WRITABLE');
    expect(said).toContain(`chmod go-w ${own}`);
    chmodSync(own, 0o755);
    chmodSync(join(own, '.git', 'config'), 0o666);
    expect(await startWith({ file }, 'open')).toContain(join('.git', 'config'));
  });

  (isRoot ? test : test.skip)('given a file that belongs to them, then it is refused', async () => {
    const own = join(mine, 'given');
    const file = project(own, 'given', 'gpu');
    await slipway(own, ['run', '--wait'], surroundings());
    chownSync(file, NOBODY, NOBODY);
    expect(await startWith({ file }, 'given')).toContain('RELEASE_FILE_NOT_OWNED');
  });
});

test('[C1] given a folder that `slipway run` named, then a start from the Temporal UI works', async () => {
  const own = join(mine, 'own');
  const file = project(own, 'own', 'gpu');
  const planned = 'nobody serves the queue gpu';
  expect(await startWith({ file }, 'own')).toContain('RELEASE_FILE_OUTSIDE');
  await slipway(own, ['run', '--wait'], surroundings());
  await until(async () => (await startWith({ file }, 'own')).includes(planned));
});
