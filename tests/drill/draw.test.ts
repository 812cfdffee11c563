import { createDraw, isSame, victimsOf, VICTIMS, type Point } from '../../tools/drill/draw.js';
import { PHASES } from '../../src/model/drill.js';
import { aBoat } from './a-boat.js';

const made = aBoat({ point: true });
const draw = (seed: number, count: number): readonly Point[] => createDraw(made, seed).points(count);

test('given the same seed, then the same points are drawn; another seed draws others', () => {
  expect(draw(7, 40)).toEqual(draw(7, 40));
  expect(draw(8, 40)).not.toEqual(draw(7, 40));
});

test('given one rehearsal, then no moment of a step is drawn twice; the next rehearsal draws from all', () => {
  const one = createDraw(made, 3);
  const [first, second] = [one.points(30), one.points(30)];
  const again = (all: readonly Point[]) => all.filter((a, at) => all.slice(at + 1).some((b) => isSame(a, b)));
  expect([...again(first), ...again(second)]).toEqual([]);
  expect([first.length, second.length]).toEqual([30, 30]);
  expect(second).not.toEqual(first);
});

test('given a hundred points over several seeds, then every victim meets every moment, most while publishing', () => {
  const all = Array.from({ length: 30 }, (_, at) => at).flatMap((seed) => draw(seed, 40));
  for (const victim of VICTIMS)
    expect(new Set(all.filter((point) => point.victim === victim).map(({ phase }) => phase))).toEqual(new Set(PHASES));
  const outside = all.filter(({ step }) => /^(publish|point|verify)\//.test(step)).length;
  expect(outside / all.length).toBeGreaterThan(0.5);
});

test('given a step, then only its participants are victims', () => {
  const victims = (id: string) => victimsOf(made.steps.find((step) => step.id.startsWith(id))!);
  expect(victims('wheels/')).not.toContain('index');
  expect(victims('publish/index')).toContain('index');
  expect(victims('publish/maven')).toContain('web');
  expect(victims('publish/hub')).toEqual(expect.arrayContaining(['registry', 'staging']));
  expect(victims('images/')).toContain('docker');
});

test('given that all moments are drawn, then no more are drawn', () => {
  const only = { prefix: 'publish/maven', victims: ['worker'] as const };
  const points = createDraw(made, 1, only).points(50);
  expect(new Set(points.map(({ victim }) => victim))).toEqual(new Set(['worker']));
  expect(points).toHaveLength(4 * made.steps.filter(({ id }) => id.startsWith('publish/maven')).length);
  expect(createDraw(made, 1, { prefix: 'nothing' }).points(5)).toEqual([]);
});
