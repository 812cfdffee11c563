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

test('when its victim is dead, then an attempt goes on, without waiting for the restart', async () => {
  const victims = fakeVictims();
  const all = kills([point()], victims);
  await all.reached({ step: 'publish/a', phase: 'before' }, never);
  expect(victims.heard).toEqual([]);
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  expect(victims.heard).toEqual(['kill temporal']);
  expect(all.done).toEqual([point()]);
});

test('given several points, then each kills once, one after another', async () => {
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

test('given a point whose worker died with another victim, then it waits for the next attempt', async () => {
  const victims = fakeVictims();
  const all = kills([point()], victims);
  await all.reached({ step: 'publish/a', phase: 'after' }, AbortSignal.abort());
  expect(victims.heard).toEqual([]);
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  expect(victims.heard).toEqual(['kill temporal']);
});

test('when the supervisor was killed, then only `up` restarts services', async () => {
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

test('given a kill at a random time, then the attempt goes on; a run that ends first is not killed', async () => {
  const victims = fakeVictims();
  const all = kills([point({ phase: 'begun', afterMs: 60_000 })], victims);
  await all.reached({ step: 'publish/a', phase: 'begun' }, never);
  await all.over();
  expect([victims.heard, all.done]).toEqual([[], []]);
});

test('when a victim does not come back, then the drill fails', async () => {
  const gone = new Error('never came back');
  const all = kills([point()], { ...fakeVictims(), risen: () => Promise.reject(gone) });
  await all.reached({ step: 'publish/a', phase: 'after' }, never);
  await expect(all.failed).rejects.toBe(gone);
});
