import { forecast } from '../../src/engine/forecast/forecast.js';
import { waitSentences, waitsIn } from '../../src/engine/outages/sentences.js';
import { follow } from '../../src/cli/follow.js';
import { liveLines } from '../../src/cli/render/live.js';
import { colours } from '../../src/cli/render/paint.js';
import { doctor } from '../../src/cli/commands/doctor.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Outage } from '../../src/model/outage.js';
import { details } from '../../src/workflows/details.js';
import { aRun, aStep, START } from './a-run.js';
import { fakeClient, fakeIo, fakePorts } from './fake-ports.js';

const MINUTE = 60_000;
const outage: Outage = {
  ...{ service: 'hull.example:5000', since: START, steps: 1, nextTryAt: START + 9.5 * MINUTE },
  ...{ message: 'connection refused', next: 'Type `slipway doctor`.' },
};
const waiting = (outages: readonly Outage[] = [outage]): RunStatus =>
  aRun({ state: 'waiting', outages, steps: [aStep('bases/far', 'makeBase', 'waiting')] });

test('given a run that waits for a registry, then page, status, forecast and doctor say the same', async () => {
  const now = START + 9 * MINUTE;
  const ahead = forecast({ steps: [], windows: {} }, [], START, now, [], waitsIn(waiting()));
  const lines = liveLines(waiting(), { now, columns: 200, rows: 40, paint: colours(false), forecast: ahead });
  expect(lines.slice(1, 5)).toEqual([
    'unknown: waits for hull.example:5000 since 9 min  critical path 0.0 s (0 steps) · 100 % of the time is waiting',
    '! waits for hull.example:5000 since 9 min: 1 step, next try in 30 s',
    '  connection refused',
    '  next: Type `slipway doctor`.',
  ]);
  const [fact, ...more] = waitSentences(outage, null);
  expect(details(waiting())).toContain([fact, ...more.map((line) => `  ${line}`)].join('\n'));
  expect(fact).toBe('waits for hull.example:5000 since 2026-11-21T12:00:00Z: 1 step, next try at 2026-11-21T12:09:30Z');
  const io = fakeIo();
  const ports = { ...fakePorts({ client: fakeClient([[waiting()]]) }), env: { TEMPORAL_ADDRESS: 'x' } };
  expect(await doctor.run({ args: {}, options: {} }, io, ports)).toBe(1);
  expect(io.printed.join('\n')).toMatch(
    /^NO {2}\S+ +waits for hull\.example:5000 since .*: connection refused\n +mend: Type/m,
  );
});

test('given an ended run or an ended outage, then nothing waits', () => {
  expect(waitsIn(waiting([{ ...outage, until: START + MINUTE }]))).toEqual([]);
  expect(waitsIn({ ...waiting(), state: 'ended' })).toEqual([]);
});

test('given a wait off a terminal, then it is printed again with the next command after 1, 2 and 4 minutes', async () => {
  jest.useFakeTimers({ now: START });
  const io = fakeIo();
  let end = (): void => undefined;
  const open = new Promise<void>((resolve) => (end = resolve));
  const statuses = (async function* () {
    yield waiting();
    await open;
  })();
  const followed = follow(statuses, 'lines', io);
  await jest.advanceTimersByTimeAsync(5 * MINUTE);
  end();
  await followed;
  jest.useRealTimers();
  const told = io.printed.filter((line) => line.includes('waits for hull'));
  expect(told.map((line) => /since (.*?):/.exec(line)?.[1])).toEqual(['0 s', '1 min', '2 min', '4 min']);
  expect(told.every((line) => line.endsWith('Type `slipway doctor`.'))).toBe(true);
});
