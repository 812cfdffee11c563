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

const away = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: 'refused', metadata: {} }));

/** A server that describes a run and answers for it, or does neither. */
function serverOf(answers: (() => Promise<RunStatus>)[], neither = away): Door {
  const described = { status: { name: 'RUNNING' }, runId: 'r', workflowId: 'release/a', raw: {} };
  const handle = {
    workflowId: 'release/a',
    describe: async () => (answers[0] === neither ? answers.shift()!() : described),
    query: () => answers.shift()!(),
  };
  const withDeadline = (_: number, act: () => unknown) => act();
  const options = { loadedDataConverter: { payloadCodecs: [] } };
  return { address: '', client: { options, withDeadline, workflow: { getHandle: () => handle } } } as unknown as Door;
}

test('given a server that goes away, when a run is watched, then the status says once that it waits, and goes on later', async () => {
  const status = aRun({ steps: [aStep('a', 'runCommand', 'running')] });
  const answers = async () => status;
  const watching = followRun(serverOf([answers, away, away, answers]), 'release/a');
  const seen = [await watching.next(), await watching.next(), await watching.next()].map(({ value }) => value!.waits);
  expect(seen).toEqual([undefined, expect.stringMatching(/^the server does not answer; .*`slipway up`/), undefined]);
  await watching.return(undefined);
});

test.each<[string, RunStatus[]]>([
  ['before its first answer', []],
  ['after its first answer', [aRun()]],
])('given a server that answers nothing %s, when Ctrl-C is pressed, then watching ends at once', async (_, answers) => {
  const interrupt = new AbortController();
  const silent = (): Promise<never> => (setImmediate(() => interrupt.abort()), new Promise(() => undefined));
  const door = serverOf([...answers.map((status) => async () => status), silent], silent);
  const seen: RunStatus[] = [];
  for await (const status of followRun(door, 'release/a', undefined, interrupt.signal)) seen.push(status);
  expect(seen).toEqual(answers);
});
