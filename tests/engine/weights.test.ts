import { medianByQueue, weightsOf } from '../../src/engine/run/weights.js';
import { aSkeleton, aStep } from './a-skeleton.js';
import { Driven } from './drive.js';

const known = (kind: 'buildWheel' | 'runTest', expectedMs: number, on = 'linux') =>
  aStep({ id: `${kind}${expectedMs}${on}`, kind, on, expectedMs, limitMs: 9_000_000 });
const unknown = (kind: 'buildWheel' | 'buildImage' | 'runTest', on = 'linux') =>
  aStep({ id: `${kind}?`, kind, on, limitMs: 3_600_000 });

test('a step of which nothing is known weighs the median of its kind, then of its queue, then of all, then its limit', () => {
  const measured = [
    known('buildWheel', 100),
    known('buildWheel', 300),
    known('buildWheel', 900),
    known('runTest', 7, 'gpu'),
  ];
  const [wheel, image, elsewhere] = weightsOf([
    ...measured,
    ...[unknown('buildWheel', 'gpu'), unknown('buildImage'), unknown('buildImage', 'mac')],
  ]).slice(4);
  expect([wheel, image, elsewhere]).toEqual([300, 300, 100]);
  expect(weightsOf([unknown('runTest')])).toEqual([3_600_000]);
});

test('the pace of a queue is its median; of one that is not known nothing is said', () => {
  expect(medianByQueue([known('buildWheel', 100), known('runTest', 300), known('runTest', 20), unknown('runTest', 'gpu')])).toEqual({ linux: 100 }); // prettier-ignore
});

test('the longest remaining path goes first, and a long time limit makes nothing urgent', () => {
  const it = new Driven(
    aSkeleton(
      [
        { id: 'limited', kind: 'runTest', limitMs: 9_000_000 },
        { id: 'short', kind: 'runTest', expectedMs: 10 },
        { id: 'first', kind: 'buildWheel', expectedMs: 20 },
        { id: 'second', kind: 'buildWheel', expectedMs: 500, needs: [2] },
      ],
      { windows: { control: 1 } },
    ),
  );
  expect(it.next()).toEqual(['start first']);
  expect(it.done('first')).toEqual(['start second']);
  expect(it.done('second')).toEqual(['start limited']);
  expect(it.done('limited')).toEqual(['start short']);
});
