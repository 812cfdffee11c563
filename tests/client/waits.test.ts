import { defaultPayloadConverter } from '@temporalio/common';
import { withWaits } from '../../src/client/waits.js';
import { aRun, aStep } from '../cli/a-run.js';

const beat = (told: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(told)] });
const SCHEDULED = 1;
const STARTED = 2;

test('given running steps, then the status says whether each waits for a worker or for a service of its worker', async () => {
  const states = ['a', 'b', 'c'].map((id) => aStep(id, 'runCommand', 'running'));
  const raw = {
    pendingActivities: [
      { activityId: 'a', state: STARTED, heartbeatDetails: beat({ waits: 'the store does not answer' }) },
      { activityId: 'b', state: SCHEDULED, activityOptions: { taskQueue: { name: 'linux-x86_64' } } },
      { activityId: 'c', state: STARTED, heartbeatDetails: beat('a last line') },
      { activityId: 'keep-status', state: STARTED, heartbeatDetails: beat({ waits: 'the bucket is away' }) },
    ],
  };
  const status = aRun({ steps: [...states, aStep('d', 'runCommand', 'waiting')] });
  const seen = await withWaits(status, { raw } as unknown as Parameters<typeof withWaits>[1], []);
  expect(seen.waits).toBe('the bucket is away');
  expect(seen.steps.map(({ id, because, queued, queue }) => [id, because, queued, queue])).toEqual([
    ['a', 'the store does not answer', undefined, undefined],
    ['b', undefined, true, 'linux-x86_64'],
    ['c', undefined, undefined, undefined],
    ['d', undefined, undefined, undefined],
  ]);
  expect(await withWaits(status, { raw: {} } as unknown as Parameters<typeof withWaits>[1], [])).toBe(status);
});

type Described = Parameters<typeof withWaits>[1];
const described = (raw: object) => ({ raw }) as unknown as Described;

test('given a step that lost a worker, then its attempts and its time count from the worker that has it now', async () => {
  const lost = [{ worker: 'one@here', atMs: 5 }];
  const pending = (activityId: string, state: number) => ({
    ...{ activityId, state, lastStartedTime: { seconds: 7, nanos: 0 } },
    heartbeatDetails: beat({ worker: 'two@here', line: 'a last line', lost }),
  });
  const raw = described({ pendingActivities: [pending('a', STARTED), pending('b', SCHEDULED)] });
  const status = aRun({ steps: ['a', 'b'].map((id) => aStep(id, 'runCommand', 'running', { startedAt: 1 })) });
  expect((await withWaits(status, raw, [])).steps).toEqual([
    { ...status.steps[0], attempt: 2, startedAt: 7000, lost },
    { ...status.steps[1], queued: true },
  ]);
});

test('given a workflow whose task fails repeatedly, then the status says so and names what to attach', async () => {
  const failing = (attempt: number) =>
    described({
      pendingWorkflowTask: { attempt },
      workflowExecutionInfo: { execution: { workflowId: 'release/thing/1.0' } },
    });
  const status = aRun({ steps: [aStep('a', 'runCommand', 'running')] });
  expect((await withWaits(status, failing(2), [])).waits).toBeUndefined(); // a worker was killed
  expect((await withWaits(status, failing(7), [])).waits).toMatch(
    /thing\/1.0 does not continue: its workflow task failed.* 7 times/,
  );
});

test.each<[what: string, heartbeatDetails: object]>([
  ['a number where a sentence belongs', beat({ waits: 5 })],
  ['a list', beat([{ waits: 'x' }])],
  ['a list of lost workers that are none', beat({ lost: [{ worker: 1 }] })],
  ['a megabyte', beat({ waits: 'x'.repeat(1e6) })],
  ['no JSON', { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') }] }],
  ['an encoding that is unknown', { payloads: [{ metadata: { encoding: Buffer.from('x') }, data: Buffer.from('') }] }],
])('[H7] given a heartbeat that is %s, then the status ignores it', async (_, heartbeatDetails) => {
  const status = aRun({ steps: [aStep('a', 'runCommand', 'running')] });
  const pendingActivities = [{ activityId: 'a', state: STARTED, heartbeatDetails }];
  const seen = await withWaits(
    status,
    { raw: { pendingActivities } } as unknown as Parameters<typeof withWaits>[1],
    [],
  );
  expect(seen.steps).toEqual(status.steps);
});
