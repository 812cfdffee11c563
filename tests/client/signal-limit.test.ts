/** @needs temporal */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { connect } from '../../src/client/connect.js';
import { fail } from '../../src/model/failure.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities } from '../workflows/fake-activities.js';

const MOST = 5;
let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  const started = startTemporal(undefined, [`history.maximumSignalsPerExecution=${MOST}`]);
  [env, bundle] = await Promise.all([started, bundleWorkflows()]);
});
afterAll(() => env.teardown());

test('given a run at its limit of signals, then senders are told, Updates are answered, and it can be cancelled', async () => {
  const skeleton = aSkeleton([{ id: 'wheels/a' }, { id: 'report', after: [0] }]);
  const activities = fakeActivities(
    () => skeleton,
    ({ step }) => {
      if (step === 'wheels/a') throw fail(aProblem());
      return ending;
    },
  );
  const worker = await makeWorker(env, bundle, activities);
  const client = await connect({ address: env.address });
  await worker.runUntil(async () => {
    const [name, version] = ['flooded', '1.0'];
    const { workflowId } = await client.start({ name, version, rehearsal: false, file: 'slipway.yaml' });
    const handle = env.client.workflow.getHandle(workflowId);
    for (let n = 0; n < MOST; n++) await handle.signal('note', `note ${n}`);
    const refused = handle.signal('note', 'one too many');
    await expect(refused).rejects.toMatchObject({
      cause: { details: expect.stringContaining('limit for signal events') },
    });
    expect(await client.act(workflowId, { action: 'note', reason: 'as an Update' })).toMatchObject({ ok: true });
    await client.cancel(workflowId, 'enough');
    await expect(handle.result()).rejects.toThrow();
    expect((await client.status(workflowId)).verdict).toMatchObject({ verdict: 'cancelled' });
  });
  await client.close();
});
