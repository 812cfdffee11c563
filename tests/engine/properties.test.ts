import fc from 'fast-check';
import type { Command, Ending, Numbered } from '../../src/engine/inputs.js';
import { Scheduler } from '../../src/engine/scheduler.js';
import type { Problem } from '../../src/model/failure.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem } from './a-skeleton.js';
import { CLASSES, QUEUES, graphs } from './graphs.js';

interface World {
  readonly skeleton: Skeleton;
  /** What happens, drawn as it is asked for: which running attempt ends, and how. */
  readonly luck: readonly number[];
  /** After how many inputs somebody cancels; null: nobody. */
  readonly cancelAt: number | null;
}
const worlds: fc.Arbitrary<World> = fc.record({
  skeleton: graphs,
  luck: fc.array(fc.nat(1_000_000), { minLength: 8, maxLength: 64 }),
  cancelAt: fc.option(fc.nat(20), { nil: null }),
});

interface Trace {
  readonly commands: readonly Command[];
  readonly scheduler: Scheduler;
}

/** Plays a world to its end, and looks at every rule that must hold on the way. */
function play({ skeleton, luck, cancelAt }: World, check = true): Trace {
  let at = 0;
  const draw = (below: number): number => (luck[at++ % luck.length]! + at * 7919) % below;
  const scheduler = new Scheduler(skeleton, { nowMs: 0, random: () => draw(1000) / 1000 });
  const commands: Command[] = [];
  const running = new Map<number, number>();
  const aborting = new Set<number>();
  let [no, nowMs, wakeAtMs] = [0, 0, null as number | null];
  for (let guard = 0; guard < 5000; guard++) {
    for (const command of scheduler.next()) {
      commands.push(command);
      if (command.do === 'start') {
        if (check) mayStart(scheduler, skeleton, command.step, running);
        running.set(command.step, command.attempt);
      }
      if (command.do === 'abort') aborting.add(command.step);
      if (command.do === 'wakeAt') wakeAtMs = command.atMs;
    }
    if (check) windowsHold(skeleton, running);
    if (scheduler.ended) return { commands, scheduler };
    scheduler.apply(happening());
  }
  throw new Error('the run does not end');

  function happening(): Numbered {
    no++;
    nowMs += draw(50);
    if (no - 1 === cancelAt) return { what: 'cancel', reason: 'enough', atMs: nowMs, no };
    const choices = [...running.keys()];
    if (choices.length === 0 || (wakeAtMs !== null && draw(4) === 0)) {
      if (wakeAtMs === null) throw new Error('nothing runs, nothing is timed, and the run has not ended');
      nowMs = Math.max(nowMs, wakeAtMs);
      wakeAtMs = null;
      return { what: 'wake', atMs: nowMs, no };
    }
    const step = choices[draw(choices.length)]!;
    const attempt = running.get(step)!;
    running.delete(step);
    return { what: 'ended', step, attempt, ending: outcome(aborting.delete(step)), atMs: nowMs, no };
  }

  function outcome(aborted: boolean): Ending {
    if (aborted && draw(2) === 0) return { outcome: 'failed', problems: [aProblem({ class: 'cancelled' })] };
    if (draw(3) > 0) return { outcome: draw(4) === 0 ? 'cached' : 'done', ms: 1, note: '' };
    const problems: Problem[] = [aProblem({ class: CLASSES[draw(CLASSES.length)]! })];
    return { outcome: 'failed', problems };
  }
}

function mayStart(scheduler: Scheduler, { steps }: Skeleton, step: number, running: ReadonlyMap<number, number>): void {
  const states = scheduler.status().map(({ state }) => state);
  const succeeded = (on: number): boolean => ['done', 'cached'].includes(states[on]!);
  const ended = (on: number): boolean => !['waiting', 'running', 'backing off'].includes(states[on]!);
  expect(running.has(step)).toBe(false);
  expect(steps[step]!.needs.every(succeeded)).toBe(true);
  expect(steps[step]!.wants.every(succeeded)).toBe(true);
  expect(steps[step]!.after.every(ended)).toBe(true);
}

function windowsHold({ steps, windows }: Skeleton, running: ReadonlyMap<number, number>): void {
  for (const queue of QUEUES)
    expect([...running.keys()].filter((step) => steps[step]!.on === queue).length).toBeLessThanOrEqual(windows[queue]!);
}

test('every run ends; nothing starts before its edges allow, windows hold, attempts count up by one', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { commands, scheduler } = play(world);
      const attempts = new Map<number, number>();
      for (const command of commands) {
        if (command.do !== 'start') continue;
        expect(command.attempt).toBe((attempts.get(command.step) ?? 0) + 1);
        attempts.set(command.step, command.attempt);
      }
      for (const { state } of scheduler.status())
        expect(['done', 'cached', 'failed', 'skipped', 'cancelled']).toContain(state);
      expect(commands.filter((command) => command.do === 'end')).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});

test('a run is released only when every step succeeded, and fails or is cancelled for a reason', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { scheduler } = play(world, false);
      const bad = scheduler.status().filter(({ state }) => state !== 'done' && state !== 'cached');
      expect(scheduler.ended!.verdict === 'released').toBe(bad.length === 0);
      if (bad.length > 0) expect(scheduler.ended!.reasons.length).toBeGreaterThan(0);
      for (const { state, because } of bad) if (state === 'skipped') expect(because).toMatch(/^(s\d+ |nothing more)/);
    }),
    { numRuns: 300 },
  );
});

test('after a cancel nothing starts but what only waits for others to end', () => {
  fc.assert(
    fc.property(worlds, fc.nat(10), (world, cancelAt) => {
      const { skeleton } = world;
      let inputs = 0;
      const scheduler = new Scheduler(skeleton, { nowMs: 0, random: () => 0.5 });
      const open: { step: number; attempt: number }[] = [];
      while (!scheduler.ended) {
        for (const command of scheduler.next()) {
          if (command.do !== 'start') continue;
          const { needs, wants, after } = skeleton.steps[command.step]!;
          if (scheduler.cancelling) expect([needs.length, wants.length, after.length > 0]).toEqual([0, 0, true]);
          open.push(command);
        }
        if (scheduler.ended) break;
        const no = ++inputs;
        if (no - 1 === cancelAt) scheduler.apply({ what: 'cancel', reason: 'enough', atMs: no, no });
        else {
          const ending: Ending = { outcome: 'done', ms: 1, note: '' };
          scheduler.apply({ what: 'ended', ...open.shift()!, ending, atMs: no, no });
        }
      }
      expect(open).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('the same inputs and the same chance give the same commands', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      expect(play(world, false).commands).toEqual(play(world, false).commands);
    }),
  );
});
