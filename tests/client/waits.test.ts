import { defaultPayloadConverter } from '@temporalio/common';
import { withWaits } from '../../src/client/waits.js';
import { aRun, aStep } from '../cli/a-run.js';

const beat = (told: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(told)] });
const SCHEDULED = 1;
const STARTED = 2;

test('a step waits for what its worker tells, or for a worker; the rest is the run itself', async () => {
  const states = ['a', 'b', 'c'].map((id) => aStep(id, 'runCommand', 'running'));
  const raw = {
    pendingActivities: [
      { activityId: 'a', state: STARTED, heartbeatDetails: beat({ waits: 'the store does not answer' }) },
      { activityId: 'b', state: SCHEDULED },
      { activityId: 'c', state: STARTED, heartbeatDetails: beat('a last line') },
      { activityId: 'keep-status', state: STARTED, heartbeatDetails: beat({ waits: 'the bucket is away' }) },
    ],
  };
  const status = aRun({ steps: [...states, aStep('d', 'runCommand', 'waiting')] });
  const seen = await withWaits(status, { raw } as unknown as Parameters<typeof withWaits>[1], []);
  expect(seen.waits).toBe('the bucket is away');
  expect(seen.steps.map(({ id, because, queued }) => [id, because, queued])).toEqual([
    ['a', 'the store does not answer', undefined],
    ['b', undefined, true],
    ['c', undefined, undefined],
    ['d', undefined, undefined],
  ]);
  expect(await withWaits(status, { raw: {} } as unknown as Parameters<typeof withWaits>[1], [])).toBe(status);
});
