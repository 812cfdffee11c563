/** @needs temporal */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { packageRoot } from '../../src/adapters/home.js';
import { fail } from '../../src/model/failure.js';
import { CANCEL_SIGNAL } from '../../src/model/messages.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, untilAborted, type FakeStep } from '../workflows/fake-activities.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The example as CI runs it: a process of its own, with the built client. */
const startRelease = (version: string): Promise<Said> =>
  new Promise((resolve) => {
    const script = join(packageRoot(), 'examples', 'ci', 'start-release.mjs');
    const environment = { ...process.env, TEMPORAL_ADDRESS: env.address };
    execFile(
      process.execPath,
      [script, '/p/slipway.yaml', 'thing', version],
      { env: environment },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

/** More steps than an answer of 4 kB holds, which is compressed. */
const MORE = Array.from({ length: 60 }, (_, at) => ({ id: `tests/a-step-with-a-long-name-${at}` }));
const SKELETON = aSkeleton([{ id: 'tests/a' }, { id: 'report', after: [0] }, ...MORE], { rehearsal: true });

async function carriedOut(version: string, step: FakeStep): Promise<Said> {
  const worker = await makeWorker(
    env,
    bundle,
    fakeActivities(() => SKELETON, step),
  );
  return worker.runUntil(() => startRelease(version));
}

test('given a rehearsal, then its changes are printed line by line, and the exit code is 0', async () => {
  const { code, stdout } = await carriedOut('1.0', () => ending);
  expect(stdout).toContain('rehearsal/thing/1.0  rehearsed  62 of 62 steps\n');
  expect(code).toBe(0);
});

test('given a run that fails, then its problems and next steps are printed, and the exit code is 1', async () => {
  const { code, stderr } = await carriedOut('1.1', ({ step }) => {
    if (step === 'tests/a') throw fail(aProblem());
    return ending;
  });
  expect(stderr).toContain('COMMAND_FAILED: make exited with 2\n  Read the log.');
  expect(code).toBe(1);
});

test('given a run that is cancelled, then the exit code is 3', async () => {
  const { code } = await carriedOut('1.2', async ({ step }, signal) => {
    if (step !== 'tests/a') return ending;
    await env.client.workflow.getHandle('rehearsal/thing/1.2').signal(CANCEL_SIGNAL, { reason: 'wrong tag' });
    return untilAborted(signal);
  });
  expect(code).toBe(3);
});
