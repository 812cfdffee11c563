import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { CONTROL, FLEET, workflowIdOf, workflowTypeOf } from '../../src/model/ids.js';
import { makeWorker } from '../temporal-env.js';
import { fakeActivities, fakeWatch } from '../workflows/fake-activities.js';
import { historiesOf, type Recorded } from '../workflows/histories-of.js';
import type { Scenario } from './scenarios.js';

/** Plays a scenario on the real server. Returns its histories as the `temporal` CLI would export them. */
export async function record(
  env: TestWorkflowEnvironment,
  bundle: { code: string },
  scenario: Scenario,
): Promise<readonly string[]> {
  const activities = { ...fakeActivities(() => scenario.skeleton, scenario.step), ...scenario.gates };
  const workers = await Promise.all([
    makeWorker(env, bundle, activities),
    makeWorker(env, bundle, activities, { taskQueue: 'linux-x86_64' }),
    makeWorker(env, bundle, { ...activities, ...fakeWatch(scenario.seen) }, { taskQueue: FLEET, shutdownGraceTime: 0 }),
  ]);
  const recorded = await workers[0].runUntil(
    runAll(workers.slice(1), async () => {
      const handle = await env.client.workflow.start(workflowTypeOf(scenario.skeleton), {
        workflowId: scenario.workflowId ?? workflowIdOf(scenario.skeleton),
        taskQueue: CONTROL,
        args: [{ file: 'slipway.yaml', ...scenario.input }],
      });
      await scenario.meanwhile?.(env.client.workflow.getHandle(handle.workflowId));
      await handle.result().catch(() => undefined);
      return historiesOf(env.client, handle, handle.firstExecutionRunId);
    }),
  );
  return recorded.map(textOf);
}

/** Text of a recorded history, as a file holds it. */
export const textOf = ({ history }: Pick<Recorded, 'history'>): string =>
  `${JSON.stringify(impersonal(history), null, 1)}\n`;

const runAll = <T>([first, ...rest]: readonly Worker[], body: () => Promise<T>): Promise<T> =>
  first ? first.runUntil(() => runAll(rest, body)) : body();

/** Without the names and paths of the machine that recorded it; replay reads neither. */
export function impersonal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(impersonal);
  if (typeof value === 'string') return value.replace(/^\d+@.+$/, 'worker'); // process@host names identities and queues
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'stackTrace');
  return Object.fromEntries(entries.map(([key, member]) => [key, impersonal(member)]));
}
