import { LivenessTracker, SILENT_MS } from '../../src/engine/outages/liveness.js';
import type { Heartbeat } from '../../src/model/heartbeat.js';

const aBeat = (over: Partial<Heartbeat> = {}): Heartbeat => ({
  identity: 'gpu@a/1',
  queue: 'gpu',
  host: 'here',
  atMs: 100_000,
  startedMs: 0,
  running: true,
  used: 0,
  free: 2,
  pollers: 2,
  ...over,
});
const count = (pulse: LivenessTracker, beat: Heartbeat, nowMs: number): number => pulse.look([beat], nowMs).length;

test('given a worker, then it is alive while its heartbeat changes, and gone a fixed time after the last one', () => {
  const pulse = new LivenessTracker('here');
  expect(count(pulse, aBeat(), 101_000)).toBe(1);
  expect(count(pulse, aBeat(), 100_000 + SILENT_MS - 1)).toBe(1);
  expect(count(pulse, aBeat(), 100_000 + SILENT_MS)).toBe(0);
  expect(count(pulse, aBeat({ atMs: 116_000 }), 117_000)).toBe(1);
});

test.each([
  ['hours behind', 3_600_000],
  ['hours before', -3_600_000],
])('given a worker whose clock is %s ours, then only a changed heartbeat counts', (_, behind) => {
  const pulse = new LivenessTracker('here');
  const there = (atMs: number) => aBeat({ host: 'there', atMs: atMs - behind });
  expect(count(pulse, there(100_000), 100_000)).toBe(0);
  expect(pulse.unsure([there(100_000)], 100_000)).toBe(true);
  expect(count(pulse, there(102_000), 102_000)).toBe(1);
  expect(count(pulse, there(102_000), 102_000 + SILENT_MS)).toBe(0);
});

test('when our clock is set back, then a silent worker is gone after the usual time', () => {
  const pulse = new LivenessTracker('here');
  expect(count(pulse, aBeat({ atMs: 9_100_000 }), 9_101_000)).toBe(1);
  expect(count(pulse, aBeat({ atMs: 9_100_000 }), 102_000)).toBe(1);
  expect(count(pulse, aBeat({ atMs: 9_100_000 }), 102_000 + SILENT_MS)).toBe(0);
});

test('given an old heartbeat of this machine, then the worker is dead and nothing waits for it', () => {
  const pulse = new LivenessTracker('here');
  expect(count(pulse, aBeat(), 200_000)).toBe(0);
  expect(pulse.unsure([aBeat()], 200_000)).toBe(false);
});

test('given one process that serves two queues, then each queue has its own heartbeat', () => {
  const pulse = new LivenessTracker('here');
  const other = aBeat({ queue: 'control', atMs: 50_000 });
  expect(pulse.look([aBeat(), other], 101_000)).toEqual([aBeat()]);
});
