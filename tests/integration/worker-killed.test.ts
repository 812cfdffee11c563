/** @long @needs temporal */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { groupLives } from '../../src/adapters/process/identity.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { CONTROL, RELEASE_WORKFLOW, workflowIdOf } from '../../src/model/ids.js';
import { canonical } from '../../src/model/json.js';
import type { Result } from '../../src/model/result.js';
import { records } from '../../src/model/run-folder.js';
import { aPlan, aStep, readLog, realSurroundings } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { signPlan } from '../support/sign-plan.js';
import { startTemporal } from '../temporal-env.js';
import { unlessFailed, until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';
import { statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
const children: ChildProcess[] = [];
beforeAll(async () => {
  env = await startTemporal();
});
// Those of another test's home serve the same queue.
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(() => env?.teardown());

function startWorker(home: string, ...args: string[]): ChildProcess {
  const own = { SLIPWAY_HOME: home, SLIPWAY_SANDBOX: 'none', TEMPORAL_ADDRESS: env.address };
  const child = startWorkerProcess(args, { ...process.env, ...own });
  children.push(child);
  return child;
}

/** Sleeps when it runs for the first time, and succeeds when it runs again. */
const script = (mark: string): string => `
  if [ -e ${mark} ]; then echo again; else echo first; echo $$ > ${mark}.new; mv ${mark}.new ${mark}; sleep 600; fi`;

/** KILL is a machine that dies; TERM a worker that is told to stop, and leaves to others what ten seconds do not end. */
test.each(['SIGKILL', 'SIGTERM'] as const)(
  'given a worker that gets %s, then its programs end, another worker finishes the step, and the run goes on',
  async (signal) => {
    const home = await homeWithWorkflows();
    const mark = join(home, 'mark');
    const store = createDirectoryStore(join(home, 'store'));
    const params = {
      run: script(mark),
      env: {},
      folder: '.',
      where: { in: 'host' as const },
      outputs: [],
      expect: null,
    };
    const step = aStep('runCommand', params, { id: 'steps/long', on: machineName() });
    const bytes = Buffer.from(
      canonical(aPlan({ isolation: 'none', profile: { name: 'local', rehearsal: true }, steps: [step] })),
    );
    const { digest } = await store.put(
      (async function* () {
        yield bytes;
      })(),
    );
    await signPlan(home, store, digest);
    startWorker(home, '--workflows');
    startWorker(home, '--queue', CONTROL);
    const doomed = startWorker(home, '--queue', machineName());
    await untilServed(env.connection, CONTROL, machineName());
    const handle = await env.client.workflow.start(RELEASE_WORKFLOW, {
      taskQueue: CONTROL,
      workflowId: workflowIdOf({ name: 'skiff', version: '1.2.3', rehearsal: true }),
      args: [{ plan: digest }],
    });
    await until(() => existsSync(mark));
    const leader = Number(await readFile(mark, 'utf8'));
    expect(groupLives(leader)).toBe(true);
    const run = handle.firstExecutionRunId;
    const printed = (delivery = 1) => readLog(realSurroundings(home), records.log(run, step.id, 1, delivery));
    await until(async () => (await printed()).includes('first\n'));

    // The worker that takes over reads there whom it follows.
    await until(async () =>
      (await handle.describe()).raw.pendingActivities?.some(
        (one) => one.activityId === step.id && one.heartbeatDetails,
      ),
    );

    doomed.kill(signal);
    await until(() => !groupLives(leader));
    startWorker(home, '--queue', machineName());
    await unlessFailed(handle.result().catch(() => undefined));

    const status = await statusOf(handle);
    expect(status.steps).toEqual([expect.objectContaining({ id: step.id, state: 'done', attempt: 2 })]);
    expect(await store.read<Result>(records.result(run, step.id))).toMatchObject({ note: 'status 0, 0 files kept' });
    const [lost] = status.steps[0]!.lost!;
    expect(lost).toEqual({ worker: expect.stringContaining(machineName()), atMs: expect.any(Number) });
    const [first, second] = await Promise.all([printed(), printed(2)]);
    expect(first).toMatch(/^slipway: steps\/long, attempt 1 on .*\nfirst\n/);
    expect(second).toMatch(/^slipway: steps\/long, attempt 2 on .*\nslipway: begun again: .* was gone at .*\nagain\n/);
  },
);
