/** @slow */
import fc from 'fast-check';
import { Scheduler } from '../../../src/engine/run/scheduler.js';
import { engineWith, type Bug } from '../a-mutant.js';
import { play, worlds, type Engine } from '../a-play.js';
import { broken } from './any-run.js';

test('given 200 random worlds, then they include every event that the laws cover', () => {
  const seen = { late: 0, actions: 0, fleets: 0, walks: 0, cancelled: 0, again: 0, full: 0 };
  for (const world of fc.sample(worlds, { numRuns: 200, seed: 7 }))
    for (const { input, stale, commands } of play(Scheduler, world).moments) {
      seen.late += Number(stale);
      seen.actions += Number(input?.what === 'action');
      seen.fleets += Number(input?.what === 'fleet');
      seen.walks += Number(input?.what === 'known');
      seen.cancelled += Number(input?.what === 'cancel');
      seen.again += Number(commands.some((command) => command.do === 'start' && command.attempt > 1));
      seen.full += Number(commands.filter((command) => command.do === 'start').length > 1);
    }
  expect(Object.entries(seen).filter(([, times]) => times < 10)).toEqual([]);
});

/** Worlds until a law does not hold any more. */
const ENOUGH = 400;

/** Laws that do not hold in some world; after one in which `law` does not, nobody looks on. */
function brokenBy(engine: Engine, law?: string): readonly string[] {
  const names = new Set<string>();
  // A bug that draws lots shows itself in some three of 400 worlds.
  const seeds = law === undefined ? [7] : [7, 8, 9, 10, 11, 12, 13, 14];
  for (const seed of seeds)
    for (const world of fc.sample(worlds, { numRuns: ENOUGH, seed })) {
      for (const name of broken(engine, world)) names.add(name);
      if (law !== undefined && names.has(law)) return [...names];
    }
  return [...names];
}

/** Each a bug that somebody could have written, and the law that it breaks. */
const BUGS: readonly (Bug & { readonly name: string; readonly breaks: string })[] = [
  {
    name: 'a step starts before the last of its edges',
    ...{
      file: 'run/run-graph.ts',
      text: 'if (--cell.open === 0)',
      instead: 'if ((cell.open = Math.max(0, cell.open - 2)) === 0)',
    },
    breaks: 'nothing starts before its edges allow',
  },
  {
    name: 'the ending of an earlier attempt counts for the last one',
    ...{ file: 'run/attempt-results.ts', text: ' || cell.attempt !== attempt) return;', instead: ') return;' },
    breaks: 'an input that was applied already, or for an attempt that is over, changes nothing',
  },
  {
    name: 'a started step is not counted in its window',
    file: 'run/ready-queue.ts',
    text: '(this.#underWay.get(queue) ?? 0) + taken.length - before',
    instead: '(this.#underWay.get(queue) ?? 0)',
    breaks: 'windows hold, also while the fleet changes',
  },
  {
    name: 'an ended attempt still counts in its window',
    ...{
      file: 'run/ready-queue.ts',
      text: '(this.#underWay.get(queue) ?? 0) - 1',
      instead: '(this.#underWay.get(queue) ?? 0)',
    },
    breaks: 'every run ends, once, with all its steps',
  },
  {
    name: 'steps of equal priority start in random order',
    ...{ file: 'run/ready-queue.ts', text: 'pathA > pathB : a < b', instead: 'pathA > pathB : Math.random() < 0.5' },
    breaks: 'the same inputs give the same commands',
  },
  {
    name: 'the shortest remaining path starts first',
    ...{ file: 'run/ready-queue.ts', text: 'pathA > pathB', instead: 'pathA < pathB' },
    breaks: 'no slot is idle while a step is ready, and the longest remaining path starts first',
  },
  {
    name: 'a repeated input is applied again',
    ...{ file: 'run/scheduler.ts', text: 'input.no <= this.lastApplied || ', instead: '' },
    breaks: 'an input that was applied already, or for an attempt that is over, changes nothing',
  },
  {
    name: 'a window stays as planned when machines join or leave',
    ...{ file: 'run/windows.ts', text: 'this.state.sizes = this.#sizes();', instead: '' },
    breaks: 'no slot is idle while a step is ready, and the longest remaining path starts first',
  },
  {
    name: 'a conflict stops steps that do not publish',
    ...{ file: 'run/conflicts.ts', text: " || KINDS[this.graph.steps[step]!.kind].changes !== 'target'", instead: '' },
    breaks: 'no slot is idle while a step is ready, and the longest remaining path starts first',
  },
  {
    name: 'a conflict stops nothing',
    ...{ file: 'run/conflicts.ts', text: 'if (!this.stops(step)) return true;', instead: 'return true;' },
    breaks: 'nothing is published while a step that met a conflict is held, or after it failed',
  },
  {
    name: 'a conflict stays after its step was skipped',
    file: 'run/conflicts.ts',
    text: "(culprit) => this.graph.cells[culprit]!.state === 'skipped'",
    instead: '() => false',
    breaks: 'every run ends, once, with all its steps',
  },
];

test('given the engine without an injected bug, then it breaks no law', () => {
  expect(brokenBy(engineWith(null))).toEqual([]);
});

test.each(BUGS)('given the bug "$name", then a law fails', ({ breaks, ...bug }) => {
  expect(brokenBy(engineWith(bug), breaks)).toContain(breaks);
});
