import { followRun } from '../../src/client/follow.js';
import type { RunStatus } from '../../src/model/messages.js';
import { aRun, aStep } from '../cli/a-run.js';

type Door = Parameters<typeof followRun>[0];

/** As the server refuses to ask a run whose task fails again and again. */
const refused = Object.assign(new Error('9 FAILED_PRECONDITION'), { code: 9, details: 'task failed', metadata: {} });

/** A run that answers as it is told; then its task fails. */
function doorTo(answers: (() => RunStatus)[]): Door {
  const workflowExecutionInfo = { execution: { workflowId: 'release/a' } };
  const raw = () => ({ pendingWorkflowTask: { attempt: answers.length > 0 ? 1 : 7 }, workflowExecutionInfo });
  const handle = {
    workflowId: 'release/a',
    describe: async () => ({ status: { name: 'RUNNING' }, runId: 'r', workflowId: 'release/a', raw: raw() }),
    query: async () => (answers.shift() ?? (() => Promise.reject(refused)))(),
  };
  const withDeadline = (_: number, act: () => unknown) => act();
  const options = { loadedDataConverter: { payloadCodecs: [] } };
  const client = { options, withDeadline, workflow: { getHandle: () => handle } };
  return { address: '', client } as unknown as Door;
}

test('given a workflow whose task fails, when a run is watched, then the status says so, although the run cannot answer', async () => {
  const status = aRun({ steps: [aStep('a', 'runCommand', 'running')] });
  const watching = followRun(doorTo([() => status]), 'release/a');
  await watching.next();
  const { value } = (await watching.next()) as { value: RunStatus };
  expect(value.steps).toEqual(status.steps);
  expect(value.waits).toMatch(/release\/a does not continue: its workflow task failed/);
  await watching.return(undefined);
  await expect(followRun(doorTo([]), 'release/a').next()).rejects.toMatchObject({ first: { class: 'bug' } });
});
