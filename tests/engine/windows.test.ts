import { windowOf, Windows } from '../../src/engine/run/windows.js';
import { Driven } from './drive.js';
import { aSkeleton, aStep } from './a-skeleton.js';

const many = (count: number, on = 'control') => Array.from({ length: count }, (_, at) => ({ id: `${on}${at}`, on }));
const starts = (words: readonly string[]) => words.filter((word) => word.startsWith('start ')).length;

test.each([
  ['long steps', 2, 600_000, 3],
  ['a large fleet with long steps', 64, 600_000, 65],
  ['steps of 275 ms', 2, 275, 4],
  ['steps that take no time', 2, 0, 52],
  ['steps of unknown duration', 8, 1000, 10],
  ['no worker', 0, 1000, 2],
])('given %s, then the window has the expected size', (_, slots, paceMs, size) =>
  expect(windowOf(slots, paceMs)).toBe(size),
);

test('when the fleet changes, then windows follow its slots; without a known fleet they follow the plan', () => {
  const it = new Driven(aSkeleton([...many(30), ...many(9, 'gpu')], { windows: { control: 10, gpu: 1 } }));
  expect(starts(it.next())).toBe(11);
  const fleet = (slots: Record<string, number>) => it.say({ what: 'fleet', unserved: [], slots, atMs: it.atMs });
  expect(starts(fleet({ control: 12, gpu: 3 }))).toBe(15 - 10 + 4 - 1);
  expect(starts(fleet({ control: 2 }))).toBe(0); // gpu: 4 are under way in a window of 1
  for (let at = 0; at < 12; at++) expect(it.done(`control${at}`)).toEqual([]);
  expect(it.done('control12')).toEqual(['start control15']);
  expect(starts(fleet({ control: 4 }))).toBe(2);
});

test('given slots known at the start, then the first steps use them', () => {
  const it = new Driven(aSkeleton(many(30), { windows: { control: 1 }, slots: { control: 4 } }));
  expect(starts(it.next())).toBe(5);
});

test('given steps that only wait, then they take no slot of their queue', () => {
  const wheels = many(12, 'wheel').map((step) => aStep({ ...step, on: 'control', kind: 'takeWheel', stage: 'wheels' }));
  const it = new Driven(aSkeleton([...wheels, ...many(3)], { windows: { control: 2 } }));
  const started = it.next();
  expect(started.filter((word) => word.startsWith('start wheel'))).toHaveLength(12);
  expect(started.filter((word) => word.startsWith('start control'))).toHaveLength(2);
});

test('given steps of different lengths, then queues with short steps have a larger backlog per slot', () => {
  const steps = [...many(9), ...many(9, 'gpu')].map((step, at) => aStep({ ...step, expectedMs: at < 9 ? 50 : 60_000 }));
  const windows = new Windows({ steps, windows: {}, slots: { control: 4, gpu: 4 } });
  expect([windows.size('control'), windows.size('gpu'), windows.size('other')]).toEqual([20, 5, 50]);
});
