import { medianByQueue, weightsOf } from '../../src/engine/run/weights.js';
import { aSkeleton, aStep } from './a-skeleton.js';
import { Driven } from './drive.js';

const known = (kind: 'buildWheel' | 'runTest', expectedMs: number, on = 'linux') =>
  aStep({ id: `${kind}${expectedMs}${on}`, kind, on, expectedMs, limitMs: 9_000_000 });
const unknown = (kind: 'buildWheel' | 'buildImage' | 'runTest', on = 'linux') =>
  aStep({ id: `${kind}?`, kind, on, limitMs: 3_600_000 });

test('given a step without history, then it weighs the median of its kind, else its queue, else all, else its limit', () => {
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

test('given measured steps, then the pace of a queue is its median; without measurements it is absent', () => {
  expect(medianByQueue([known('buildWheel', 100), known('runTest', 300), known('runTest', 20), unknown('runTest', 'gpu')])).toEqual({ linux: 100 }); // prettier-ignore
});

test('given steps in one queue, then the longest remaining path starts first, and a long time limit does not count', () => {
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
