import { waitsOf } from '../../src/engine/why/waits.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Plan } from '../../src/model/plan.js';
import { Driven } from './drive.js';
import { Scheduler } from '../../src/engine/run/scheduler.js';
import { simulate } from '../../src/engine/simulate/simulate.js';
import type { Fleet } from '../../src/model/fleet.js';
import { aSkeleton } from './a-skeleton.js';

const tiny = (limit: number) => ({ pool: { name: 'tiny', limit } });

describe('given steps of a pool', () => {
  test('when all its slots are taken, then the next step waits, and steps outside the pool start', () => {
    const it = new Driven(
      aSkeleton([{ id: 'a', ...tiny(2) }, { id: 'b', ...tiny(2) }, { id: 'c', ...tiny(2) }, { id: 'free' }]),
    );
    expect(
      it
        .next()
        .filter((word) => word.startsWith('start '))
        .sort(),
    ).toEqual(['start a', 'start b', 'start free']);
    expect(it.done('free')).toEqual([]);
    expect(it.done('a')).toEqual(['start c']);
  });

  test('when a step waits for its next try, then its slot is free', () => {
    const it = new Driven(
      aSkeleton([
        { id: 'a', ...tiny(1) },
        { id: 'b', ...tiny(1) },
      ]),
    );
    expect(it.next()).toEqual(['start a']);
    const after = it.failed('a', 'infra');
    expect(after).toContain('start b');
  });

  test('when requests have different limits, then each is judged by its own', () => {
    const it = new Driven(
      aSkeleton([
        { id: 'a', ...tiny(3) },
        { id: 'b', ...tiny(1) },
        { id: 'c', ...tiny(3) },
      ]),
    );
    expect(
      it
        .next()
        .filter((word) => word.startsWith('start '))
        .sort(),
    ).toEqual(['start a', 'start c']);
    expect(it.done('a')).toEqual([]);
    expect(it.done('c')).toEqual(['start b']);
  });

  test('when its queue has fewer slots, then the queue limits', () => {
    const steps = ['a', 'b', 'c'].map((id) => ({ id, ...tiny(3) }));
    const it = new Driven(aSkeleton(steps, { windows: { control: 1 } }));
    expect(it.next()).toEqual(['start a']);
  });

  test('when a test waits for a slot, then `why` names the pool', () => {
    const step = { needs: [], wants: [], after: [], on: 'control', kind: 'runOnCluster', params: tiny(1) };
    const steps = [
      { ...step, id: 'tests/a' },
      { ...step, id: 'tests/b' },
    ];
    const stands = (a: string) => ({
      steps: [
        { id: 'tests/a', state: a },
        { id: 'tests/b', state: 'waiting' },
      ],
    });
    const why = (a: string) =>
      waitsOf('tests/b', { steps } as unknown as Plan, stands(a) as unknown as RunStatus, { control: 9 })[0];
    expect(why('running')).toEqual({ for: 'place', because: 'every place of the pool tiny is taken, 1 of 1' });
    expect(why('backing off')?.for).toBe('other');
  });

  test('when a variant waits for a place of its entry, then `why` names the entry; its pool is not among its parameters', () => {
    const pool = { name: 'steps/load', limit: 1 };
    const step = { needs: [], wants: [], after: [], on: 'control', kind: 'runCommand', params: {}, pool };
    const steps = ['steps/load/a', 'steps/load/b'].map((id) => ({ ...step, id }));
    const stands = steps.map(({ id }, at) => ({ id, state: at === 0 ? 'running' : 'waiting' }));
    const [wait] = waitsOf('steps/load/b', { steps } as unknown as Plan, { steps: stands } as unknown as RunStatus, {});
    expect(wait).toEqual({ for: 'place', because: 'every place of steps/load is taken, 1 of 1' });
  });

  test('when a simulation has a machine for each step, then its makespan is that of the places', () => {
    const plan = aSkeleton(['a', 'b', 'c', 'd'].map((id) => ({ id, expectedMs: 1000, ...tiny(2) })));
    const fleet = { queues: { control: { workers: 4, slots: 1 } }, durations: {} } as unknown as Fleet;
    expect(simulate(plan, fleet).makespanMs).toBe(2000);
  });

  test('when the run continues as new, then running steps still hold their places', () => {
    const skeleton = aSkeleton(['a', 'b', 'c'].map((id) => ({ id, ...tiny(2) })));
    const first = new Driven(skeleton);
    first.next();
    const next = new Scheduler(skeleton, { nowMs: first.atMs, random: () => 0 }, first.scheduler.snapshot());
    expect(next.next().filter((command) => command.do === 'start')).toEqual([]);
  });
});
