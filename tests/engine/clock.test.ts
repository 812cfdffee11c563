import { byTheClock } from '../../src/engine/run/wall-clock.js';
import { aRule, aYes, SEALED, nonceAt } from './a-gate.js';
import { aProblem, aSkeleton, RETRY } from './a-skeleton.js';
import { TurnedClock } from './a-turned-clock.js';

const DAY_MS = 86_400_000;
const WAIT_MS = 60_000;
const patient = { ...RETRY, infra: { times: 3, waitMs: WAIT_MS, atMostMs: WAIT_MS } };

test('when the clock is set back, then reported times still follow the current clock', () => {
  const gate = aRule({ soakMs: 3_600_000, quorum: 1 });
  const steps = [
    { id: 'gates/ship', kind: 'passGate', gate },
    { id: 'runs' },
    { id: 'again', retry: patient },
    { id: 'held' },
    { id: 'absent', on: 'gpu' },
  ] as const;
  const world = new TurnedClock(aSkeleton(steps));
  const fails = (step: number, what: 'infra' | 'product') => {
    const ending = { outcome: 'failed', problems: [aProblem({ class: what })] } as const;
    world.say({ what: 'ended', step, attempt: 1, ending, atMs: world.clockMs });
  };
  const run = {
    ...{ workflowId: 'release/a/1', run: 'r', plan: null, name: 'a', version: '1', rehearsal: false },
    ...{ state: 'running' as const, problems: [] },
  };
  const startedAt = world.clockMs;
  const told = () => {
    const { scheduler } = world;
    const [steps_, waiting, outages] = [scheduler.status(), scheduler.waiting(), scheduler.outages()];
    return byTheClock({ ...run, startedAt, steps: steps_, waiting, outages }, scheduler.aheadMs);
  };
  const ago = (ms: number | undefined): number => Math.round((world.clockMs - ms!) / 1000);

  world.trueMs += 10_000;
  world.say({ what: 'opened', step: 0, attempt: 1, manifest: SEALED, earlier: [], targets: [], atMs: world.clockMs });
  fails(2, 'infra');
  fails(3, 'product');
  world.say({ what: 'fleet', unserved: [{ queue: 'gpu', since: world.clockMs }], atMs: world.clockMs });
  world.turnedMs -= DAY_MS;
  world.say({ what: 'action', action: { action: 'note', text: 'looked' } as never, atMs: world.clockMs });
  world.trueMs += 20_000;
  world.say({ what: 'action', action: { action: 'note', text: 'again' } as never, atMs: world.clockMs });

  const { steps: all, waiting, startedAt: since } = told();
  const [shut, runs, again, held] = all;
  expect(ago(since)).toBe(30);
  expect(ago(runs!.startedAt)).toBe(30);
  expect(ago(held!.heldAt)).toBe(20);
  expect(ago(again!.againAt)).toBe(20 - WAIT_MS / 2000); // half of it, by luck
  expect(ago(waiting![0]!.since)).toBe(20);
  expect(ago(shut!.gate!.soaksUntil)).toBe(20 - 3600);
  expect(shut!.because).toContain(new Date(shut!.gate!.soaksUntil!).toISOString().slice(0, 19));
});

test('when the clock is set forward, then approvals may expire early, and no gate passes with fewer approvals', () => {
  const gate = aRule({ quorum: 2, expiresMs: 3_600_000 });
  const world = new TurnedClock(aSkeleton([{ id: 'gates/ship', kind: 'passGate', gate }]));
  const signer = (key: string) => ({ fingerprint: `SHA256:${key}`, group: 'core', key: `${key}.pub`, names: [key] });
  const yes = (key: string): void =>
    world.say({
      what: 'gate action',
      action: aYes({ by: key }),
      vetted: { ok: true, signer: signer(key) },
      nonce: nonceAt(world.scheduler, aYes({ by: key })),
      atMs: world.clockMs,
    });
  world.say({ what: 'opened', step: 0, attempt: 1, manifest: SEALED, earlier: [], targets: [], atMs: world.clockMs });
  yes('kim');
  world.turnedMs += DAY_MS;
  yes('lee');
  expect(world.scheduler.status()[0]).toMatchObject({ state: 'at gate', gate: { approvals: [{ by: 'lee' }] } });
  world.turnedMs -= DAY_MS;
  yes('kim');
  expect(world.scheduler.status()[0]).toMatchObject({ state: 'running' });
});

test('when the clock is set forward and back, then stored times are read correctly', () => {
  const gate = aRule({ expiresMs: 3_600_000 });
  const steps = [
    { id: 'gates/ship', kind: 'passGate', gate },
    { id: 'far', on: 'gpu', waitMs: 3_600_000 },
  ] as const;
  const world = new TurnedClock(aSkeleton(steps));
  world.say({ what: 'opened', step: 0, attempt: 1, manifest: SEALED, earlier: [], targets: [], atMs: world.clockMs });
  world.turnedMs += DAY_MS;
  world.say({ what: 'fleet', unserved: [], atMs: world.clockMs });
  world.turnedMs -= DAY_MS;
  const expires = new Date(world.clockMs + 60_000).toISOString();
  const signer = { fingerprint: 'SHA256:kim', group: 'core', key: 'kim.pub', names: ['kim'] };
  const vetted = { ok: true, signer } as const;
  const nonce = nonceAt(world.scheduler, aYes());
  world.say({ what: 'gate action', action: aYes({ by: 'kim', expires }), vetted, nonce, atMs: world.clockMs });
  world.say({ what: 'fleet', unserved: [{ queue: 'gpu', since: world.clockMs }], atMs: world.clockMs });
  expect(world.scheduler.status()).toMatchObject([{ state: 'running' }, { state: 'waiting' }]);
  expect(world.aborted).toEqual([]);
  world.trueMs += 3_600_001;
  world.say({ what: 'wake', atMs: world.clockMs });
  expect(world.aborted).toEqual([1]);
});
