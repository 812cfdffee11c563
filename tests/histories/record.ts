import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { CONTROL, FLEET } from '../../src/model/ids.js';
import { makeWorker } from '../temporal-env.js';
import { fakeActivities, fakeWatch } from '../workflows/fake-activities.js';
import type { Scenario } from './scenarios.js';

/** Plays a scenario on the real server and answers its history as the `temporal` CLI would export it. */
export async function record(env: TestWorkflowEnvironment, bundle: { code: string }, scenario: Scenario): Promise<string> {
  const activities = { ...fakeActivities(() => scenario.skeleton, scenario.step), ...scenario.gates };
  const workers = await Promise.all([
    makeWorker(env, bundle, activities),
    makeWorker(env, bundle, activities, { taskQueue: 'linux-x86_64' }),
    makeWorker(env, bundle, fakeWatch(scenario.seen), { taskQueue: FLEET, shutdownGraceTime: 0 }),
  ]);
  const history = await workers[0].runUntil(
    runAll(workers.slice(1), async () => {
      const handle = await env.client.workflow.start('release', {
        workflowId: `release/thing/${scenario.skeleton.version}`,
        taskQueue: CONTROL,
        args: [{ file: 'slipway.yaml', ...(scenario.onFailure && { onFailure: scenario.onFailure }) }],
      });
      await scenario.meanwhile?.(handle);
      await handle.result().catch(() => undefined);
      return handle.fetchHistory();
    }),
  );
  return `${JSON.stringify(impersonal(JSON.parse(historyToJSON(history))), null, 1)}\n`;
}

const runAll = <T>([first, ...rest]: readonly Worker[], body: () => Promise<T>): Promise<T> =>
  first ? first.runUntil(() => runAll(rest, body)) : body();

/** Without the names and paths of the machine that recorded it; replay reads neither. */
function impersonal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(impersonal);
  if (typeof value === 'string') return value.replace(/^\d+@.+$/, 'worker'); // process@host names identities and queues
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'stackTrace');
  return Object.fromEntries(entries.map(([key, member]) => [key, impersonal(member)]));
}
