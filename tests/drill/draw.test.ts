import { createDraw, isSame, victimsOf, VICTIMS, type Point } from '../../tools/drill/draw.js';
import { PHASES } from '../../src/model/drill.js';
import { aBoat } from './a-boat.js';

const made = aBoat({ point: true });
const draw = (seed: number, count: number): readonly Point[] => createDraw(made, seed).points(count);

test('the same seed draws the same points, another seed others', () => {
  expect(draw(7, 40)).toEqual(draw(7, 40));
  expect(draw(8, 40)).not.toEqual(draw(7, 40));
});

test('no moment of a step is drawn twice for one rehearsal; the next one is dealt anew', () => {
  const one = createDraw(made, 3);
  const [first, second] = [one.points(30), one.points(30)];
  const again = (all: readonly Point[]) => all.filter((a, at) => all.slice(at + 1).some((b) => isSame(a, b)));
  expect([...again(first), ...again(second)]).toEqual([]);
  expect([first.length, second.length]).toEqual([30, 30]);
  expect(second).not.toEqual(first);
});

test('a hundred points over some seeds meet every victim at every moment, publishing most', () => {
  const all = Array.from({ length: 30 }, (_, at) => at).flatMap((seed) => draw(seed, 40));
  for (const victim of VICTIMS)
    expect(new Set(all.filter((point) => point.victim === victim).map(({ phase }) => phase))).toEqual(new Set(PHASES));
  const outside = all.filter(({ step }) => /^(publish|point|verify)\//.test(step)).length;
  expect(outside / all.length).toBeGreaterThan(0.5);
});

test('only what has a part in a step is killed at it', () => {
  const victims = (id: string) => victimsOf(made.steps.find((step) => step.id.startsWith(id))!);
  expect(victims('wheels/')).not.toContain('index');
  expect(victims('publish/index')).toContain('index');
  expect(victims('publish/maven')).toContain('web');
  expect(victims('publish/hub')).toEqual(expect.arrayContaining(['registry', 'staging']));
  expect(victims('images/')).toContain('docker');
});

test('where all moments are drawn, there are no more', () => {
  const only = { prefix: 'publish/maven', victims: ['worker'] as const };
  const points = createDraw(made, 1, only).points(50);
  expect(new Set(points.map(({ victim }) => victim))).toEqual(new Set(['worker']));
  expect(points).toHaveLength(4 * made.steps.filter(({ id }) => id.startsWith('publish/maven')).length);
  expect(createDraw(made, 1, { prefix: 'nothing' }).points(5)).toEqual([]);
});
