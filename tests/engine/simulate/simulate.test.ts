import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneMore, simulate } from '../../../src/engine/simulate/simulate.js';
import { runVirtually, type Taken } from '../../../src/engine/simulate/virtual-clock.js';
import type { Fleet } from '../../../src/model/fleet.js';
import type { Skeleton, SkeletonStep } from '../../../src/model/plan.js';
import { Fleet as FleetFile } from '../../../src/model/schema/fleet.js';
import { aSkeleton, aStep, RETRY, type Rough } from '../a-skeleton.js';

/** A release of examples/skiff as its history has it: `ranMs` from when the scheduler started a step to when it learnt of its end,
 * `order` as the activities stand in the history. */
interface Recorded {
  readonly windows: Skeleton['windows'];
  readonly order: readonly string[];
  readonly steps: readonly (SkeletonStep & { readonly ranMs: readonly [number, number] })[];
}
const recorded = JSON.parse(readFileSync(join(__dirname, 'skiff-run.json'), 'utf8')) as Recorded;

test('given a recorded release of skiff, when it is simulated, then every step starts in the same order at the same time', () => {
  const ran = new Map(recorded.steps.map(({ id, ranMs }) => [id, ranMs]));
  const steps = recorded.steps.map(({ ranMs: _, ...step }) => ({ ...step, retry: RETRY }));
  const skeleton: Skeleton = { ...aSkeleton([]), steps, windows: recorded.windows };
  const seen: Taken[] = [];
  const took = ({ id }: SkeletonStep): number => ran.get(id)![1] - ran.get(id)![0];
  const { ended } = runVirtually([{ skeleton, atMs: 0 }], recorded.windows, took, (taken) => seen.push(taken));
  expect(seen.map(({ step }) => step.id)).toEqual(recorded.order);
  expect(seen.map(({ step, startMs }) => [step.id, startMs])).toEqual(
    seen.map(({ step }) => [step.id, ran.get(step.id)![0]]),
  );
  expect(ended[0]).toBe(Math.max(...[...ran.values()].map(([, end]) => end)));
});

const crew = (workers: number, slots = 1): Fleet['queues'][string] => ({ workers, slots });
const fleet = (queues: Record<string, number>): Fleet => ({
  queues: Object.fromEntries(Object.entries(queues).map(([queue, workers]) => [queue, crew(workers)])),
  durations: {},
});
const FOUR: readonly Rough[] = [1, 2, 3, 4].map((no) => ({ id: `s${no}`, expectedMs: 10 }));
const DIAMOND: readonly Rough[] = [
  { id: 'a', expectedMs: 10, on: 'linux' },
  { id: 'b', expectedMs: 50, on: 'linux', needs: [0] },
  { id: 'c', expectedMs: 50, on: 'gpu', needs: [0] },
  { id: 'd', expectedMs: 50, on: 'gpu', needs: [0] },
  { id: 'z', expectedMs: 1, on: 'linux', needs: [1, 2, 3] },
];

test.each<[string, readonly Rough[], Record<string, number>, number]>([
  ['four steps on one worker', FOUR, { control: 1 }, 40],
  ['four steps on two workers', FOUR, { control: 2 }, 20],
  ['more workers than steps', FOUR, { control: 9 }, 10],
  ['steps on two queues', DIAMOND, { linux: 1, gpu: 1 }, 111],
  ['dependent steps', DIAMOND, { linux: 1, gpu: 2 }, 61],
  ['a step with only a limit', [{ id: 'a', limitMs: 700 }], { control: 1 }, 700],
])('given %s, then the makespan is as expected', (_, steps, queues, expected) => {
  expect(simulate(aSkeleton(steps), fleet(queues)).makespanMs).toBe(expected);
});

test('given a plan and a fleet, then the simulation reports waits, utilisation and the minimum makespan', () => {
  const found = simulate(aSkeleton(DIAMOND), fleet({ linux: 1, gpu: 1 }));
  expect(found).toMatchObject({ releases: 1, steps: 5, criticalPathMs: 61, release: { meanMs: 111, maxMs: 111 } });
  expect(found.queues).toEqual([
    {
      queue: 'gpu',
      workers: 1,
      slots: 1,
      steps: 2,
      workMs: 100,
      utilisation: 100 / 111,
      wait: { meanMs: 25, p50Ms: 0, p90Ms: 50, maxMs: 50 },
    },
    {
      queue: 'linux',
      workers: 1,
      slots: 1,
      steps: 3,
      workMs: 61,
      utilisation: 61 / 111,
      wait: { meanMs: 0, p50Ms: 0, p90Ms: 0, maxMs: 0 },
    },
  ]);
});

test('given a fleet, when one more worker is simulated for each queue, then the best queue is first', () => {
  const plan = aSkeleton(DIAMOND);
  const small = fleet({ linux: 1, gpu: 1 });
  expect(oneMore(plan, small, simulate(plan, small))).toEqual([
    { queue: 'gpu', savesMs: 50 },
    { queue: 'linux', savesMs: 0 },
  ]);
});

test('given a worker with several slots, then it runs that many steps at once', () => {
  expect(simulate(aSkeleton(FOUR), { queues: { control: crew(1, 4) }, durations: {} }).makespanMs).toBe(10);
});

test('given several releases, then they share the fleet and overlap', () => {
  const found = simulate(aSkeleton(FOUR), fleet({ control: 2 }), { releases: 3, everyMs: 12 });
  expect(found).toMatchObject({
    releases: 3,
    steps: 12,
    makespanMs: 60,
    release: { meanMs: (20 + 38 + 36) / 3, maxMs: 38 },
  });
  const apart = simulate(aSkeleton(FOUR), fleet({ control: 2 }), { releases: 3, everyMs: 1000 });
  expect(apart).toMatchObject({ makespanMs: 2020, release: { meanMs: 20, maxMs: 20 } });
});

test('given a gate of a live release, then the simulation passes it at once', () => {
  const plan = aSkeleton([
    { id: 'gates/ship', kind: 'passGate', expectedMs: 3 },
    { id: 'b', expectedMs: 4, needs: [0] },
  ]);
  expect(simulate(plan, fleet({ control: 1 })).makespanMs).toBe(7);
});

test.each([
  ['no worker', fleet({ linux: 0, gpu: 1 }), ['FLEET_LACKS_QUEUE']],
  ['no workers on both queues', fleet({ linux: 0, gpu: 0 }), ['FLEET_LACKS_QUEUE', 'FLEET_LACKS_QUEUE']],
  ['a missing queue', fleet({ linux: 4 }), ['FLEET_LACKS_QUEUE']],
])('given a fleet with %s, then all problems are reported at once', (_, lacking, codes) => {
  const run = (): unknown => simulate(aSkeleton(DIAMOND), lacking);
  expect(run).toThrow(expect.objectContaining({ problems: codes.map((code) => expect.objectContaining({ code })) }));
});

test('given a fleet file with durations, then they precede measured ones, as times or shares of the limit', () => {
  const said = FleetFile.parse({
    queues: { control: { workers: 1 } },
    durations: { runCommand: '25%', runTest: '2m' },
  });
  expect(said).toEqual({
    queues: { control: { workers: 1, slots: 1 } },
    durations: { runCommand: { share: 0.25 }, runTest: { ms: 120_000 } },
  });
  const plan = aSkeleton([
    aStep({ id: 'a', limitMs: 400, expectedMs: 9 }),
    aStep({ id: 'b', kind: 'runTest', needs: [0] }),
  ]);
  expect(simulate(plan, said).makespanMs).toBe(120_100);
});

test.each([['101%'], ['-1%'], ['12'], ['soon']])('given the duration %s, then it is refused', (text) => {
  expect(FleetFile.safeParse({ queues: {}, durations: { runTest: text } }).success).toBe(false);
});

test('given a wide plan of 10,000 steps, then the simulation ends when its work is done', () => {
  const steps = Array.from({ length: 10_000 }, (_, no): Rough => ({
    id: `s${no}`,
    expectedMs: 10,
    needs: no < 50 ? [] : [no - 50],
  }));
  const found = simulate(aSkeleton(steps), fleet({ control: 50 }));
  expect([found.makespanMs, found.queues[0]!.utilisation]).toEqual([2000, 1]);
});

test('given a plan longer than one history, when it continues as new, then a step that runs holds up the rest', () => {
  const chain = Array.from({ length: 4500 }, (_, at): Rough => ({
    ...{ id: `s${at}`, expectedMs: 10, on: 'linux' },
    needs: at === 0 ? [] : [at - 1],
  }));
  const alone = simulate(aSkeleton(chain), fleet({ linux: 1 }));
  expect(alone.continued).toEqual({ times: 2, heldUpMs: 0 });
  expect(alone.makespanMs).toBe(45_000);
  const beside = simulate(
    aSkeleton([...chain, { id: 'long', expectedMs: 30_000, on: 'gpu' }]),
    fleet({ linux: 1, gpu: 1 }),
  );
  expect(beside.continued.times).toBe(2);
  expect(beside.makespanMs).toBe(45_000 + beside.continued.heldUpMs);
  expect(beside.continued.heldUpMs).toBe(30_000 - 20_000);
});
