/** @slow */
import fc from 'fast-check';
import { Scheduler } from '../../../src/engine/run/scheduler.js';
import { engineWith, type Bug } from '../a-mutant.js';
import { play, type Engine } from '../a-play.js';
import { brokenSoftly, drawnSoftWorlds, softWorldOf } from './soft-failures.js';

const drawn = (numRuns: number) => fc.sample(drawnSoftWorlds, { numRuns, seed: 7 }).map(softWorldOf);

test('given 200 random worlds, then they include reported, stopping, tolerated, retried and flaky failures', () => {
  const seen = { told: 0, without: 0, stopped: 0, tolerated: 0, retried: 0, flaky: 0, done: 0 };
  for (const world of drawn(200)) {
    const { moments } = play(Scheduler, world);
    const last = moments.at(-1)!.status;
    seen.without += world.skeleton.steps.filter(
      ({ wants }, at) => last[at]!.state === 'done' && wants.some((on) => last[on]!.state === 'failed'),
    ).length;
    for (const { state, because, flaky, tolerated } of last) {
      seen.told += Number(state === 'failed');
      seen.stopped += Number(state === 'cancelled' && because?.includes('onFailure: stop') === true);
      seen.tolerated += Number(tolerated === true);
      seen.flaky += Number(flaky === true);
    }
    for (const { commands } of moments)
      for (const command of commands) {
        seen.retried += Number(command.do === 'start' && command.flaky === true);
        seen.done += Number(command.do === 'end' && command.verdict.verdict === 'done');
      }
  }
  const rare: readonly string[] = ['without'];
  expect(Object.entries(seen).filter(([name, times]) => times < (rare.includes(name) ? 1 : 10))).toEqual([]);
});

/** Laws that do not hold in some world. Stops once `law` does not. */
function brokenBy(engine: Engine, law?: string): readonly string[] {
  const names = new Set<string>();
  for (const world of drawn(400)) {
    for (const name of brokenSoftly(engine, world)) names.add(name);
    if (law !== undefined && names.has(law)) break;
  }
  return [...names];
}

const BUGS: readonly (Bug & { readonly name: string; readonly breaks: string })[] = [
  {
    name: 'a failure that is only reported is held',
    ...{ file: 'run/attempt-results.ts', text: 'onFailure === undefined && this.#holds()', instead: 'this.#holds()' },
    breaks: 'a step whose failure is only reported or tolerated is never held',
  },
  {
    name: 'a tolerated failure fails the step',
    ...{
      file: 'run/attempt-results.ts',
      text: "this.graph.settle(step, 'skipped', tolerate);",
      instead: "this.graph.settle(step, 'failed', tolerate);",
    },
    breaks: 'a tolerated step never fails',
  },
  {
    name: 'a tolerated failure also skips steps that only want the step',
    ...{
      file: 'run/step-progress.ts',
      text: "(cell.state === 'skipped' && cell.blame === undefined)",
      instead: "(cell.state === 'skipped' && cell.blame === undefined && cell.tolerated !== true)",
    },
    breaks: 'a step is not skipped because of others if its edges allow it to run',
  },
  {
    name: 'a reported failure skips steps that only want the step',
    ...{ file: 'run/edges.ts', text: 'engine < TOLD_LETS_WANTS', instead: 'engine > 0' },
    breaks: 'a step is not skipped because of others if its edges allow it to run',
  },
  {
    name: 'a step is published although a step that it wants failed',
    ...{ file: 'run/edges.ts', text: 'KINDS[steps[step]!.kind].wantsAll', instead: 'false' },
    breaks: 'nothing starts before its edges allow',
  },
  {
    name: 'a failure without `tell` skips no step that only wants it',
    ...{ file: 'run/edges.ts', text: "onFailure === 'tell' && ", instead: '' },
    breaks: 'nothing starts before its edges allow',
  },
  {
    name: 'a failure that stops its siblings stops none',
    ...{
      file: 'run/attempt-results.ts',
      text: "if (onFailure === 'stop') this.around.stopSiblings(step);",
      instead: '',
    },
    breaks: 'after a failure that stops its siblings, no step of the entry starts, and none waits',
  },
  {
    name: 'a failure that stops its siblings stops every step of the run',
    ...{
      file: 'run/cancelling.ts',
      text: 'cells[step]!.stoppedBy === undefined && entryOf(steps[step]!.id) === entry',
      instead: 'cells[step]!.stoppedBy === undefined && entry !== ""',
    },
    breaks: 'a step is cancelled only with the run or after a sibling failed',
  },
  {
    name: 'a failure of the product is retried once less',
    ...{ file: 'run/next-after-failure.ts', text: 'failed > retry.times', instead: 'failed >= retry.times' },
    breaks: 'a failure of the product is retried as often as the step says',
  },
  {
    name: 'a pass after a failure of class product is not flaky',
    ...{
      file: 'run/attempt-results.ts',
      text: "if (cell.failures.includes('product')) cell.flaky = true;",
      instead: '',
    },
    breaks: 'a step is flaky if and only if it succeeded after a failure of the product',
  },
];

test('given the engine without an injected bug, then it breaks no law', () => {
  expect(brokenBy(engineWith(null))).toEqual([]);
});

test.each(BUGS)('given the bug "$name", then a law fails', ({ breaks, ...bug }) => {
  expect(brokenBy(engineWith(bug), breaks)).toContain(breaks);
});
