import type { Point } from '../../tools/drill/draw.js';
import { createKills } from '../../tools/drill/kills.js';
import type { Victims } from '../../tools/drill/victims.js';

const point = (more: Partial<Point> = {}): Point => ({
  step: 'publish/a',
  phase: 'after',
  afterMs: 0,
  victim: 'temporal',
  ...more,
});
const never = new AbortController().signal;

/** Victims that rise when they are told to. */
function fakeVictims(): Victims & { readonly heard: string[]; rise: () => void } {
  const heard: string[] = [];
  const fake = {
    heard,
    rise: () => undefined as void,
    killService: (service: string) => (heard.push(`kill ${service}`), Promise.resolve(7)),
    killSupervisor: () => (heard.push('kill supervisor'), Promise.resolve()),
    risen: (service: string) =>
      new Promise<void>((resolve) => {
        fake.rise = () => (heard.push(`risen ${service}`), resolve());
      }),
    allUp: () => Promise.resolve(),
  };
  return fake;
}

const kills = (points: readonly Point[], victims: Victims, heard: string[] = []) =>
  createKills(points, victims, {
    queueOf: () => 'control',
    restart: () => (heard.push('up'), Promise.resolve()),
    onKill: () => undefined,
  });

test('an attempt goes on when its victim is dead, and does not wait until it is back', async () => {
  const victims = fakeVictims();
  const all = kills([point()], victims);
  await all.reached({ step: 'publish/a', phase: 'before' }, never);
  expect(victims.heard).toEqual([]);
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  expect(victims.heard).toEqual(['kill temporal']);
  expect(all.done).toEqual([point()]);
});

test('each point kills once, and one after another', async () => {
  const victims = fakeVictims();
  const all = kills([point(), point({ step: 'publish/b', victim: 'worker' })], victims);
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  const second = all.reached({ step: 'publish/b', phase: 'after' }, never);
  await Promise.resolve();
  expect(victims.heard).toEqual(['kill temporal']);
  victims.rise();
  await second;
  expect(victims.heard).toEqual(['kill temporal', 'risen temporal', 'kill worker-control']);
});

test('a point whose worker went with another victim waits for the next attempt', async () => {
  const victims = fakeVictims();
  const all = kills([point()], victims);
  await all.reached({ step: 'publish/a', phase: 'after' }, AbortSignal.abort());
  expect(victims.heard).toEqual([]);
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  expect(victims.heard).toEqual(['kill temporal']);
});

test('nothing starts again after the supervisor was killed but by `up`', async () => {
  const heard: string[] = [];
  const all = kills(
    [point({ victim: 'supervisor' })],
    { ...fakeVictims(), killSupervisor: async () => void heard.push('dead') },
    heard,
  );
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  await all.over();
  expect(heard).toEqual(['dead', 'up']);
});

test('a kill at a random time lets the attempt go on at once, and comes to nothing when the run is over before', async () => {
  const victims = fakeVictims();
  const all = kills([point({ phase: 'begun', afterMs: 60_000 })], victims);
  await all.reached({ step: 'publish/a', phase: 'begun' }, never);
  await all.over();
  expect([victims.heard, all.done]).toEqual([[], []]);
});

test('what does not come back ends the drill', async () => {
  const gone = new Error('never came back');
  const all = kills([point()], { ...fakeVictims(), risen: () => Promise.reject(gone) });
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  await expect(all.failed).rejects.toBe(gone);
});
