import fc from 'fast-check';
import type { Ending } from '../../../src/engine/inputs.js';
import { Scheduler } from '../../../src/engine/scheduler.js';
import type { StepState } from '../../../src/model/messages.js';
import type { Skeleton } from '../../../src/model/plan.js';
import { aProblem, aSkeleton } from '../a-skeleton.js';
import type { PlainWord } from '../drive.js';
import { law } from './law.js';

const rows = fc.array(fc.array(fc.tuple(fc.nat(), fc.constantFrom('needs', 'wants', 'after')), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 20,
});
type Rows = typeof rows extends fc.Arbitrary<infer T> ? T : never;

const graphOf = (drawn: Rows): Skeleton =>
  aSkeleton(
    drawn.map((row, n) => {
      const to = (sort: string) =>
        n === 0 ? [] : [...new Set(row.flatMap(([at, kind]) => (kind === sort ? [at % n] : [])))];
      const kind = n % 3 === 2 ? 'publishArtifacts' : 'runCommand';
      return { id: `s${n}`, kind, needs: to('needs'), wants: to('wants'), after: to('after') } as const;
    }),
    { windows: { control: 3 } },
  );

/** Whatever people say, whenever they say it: a run that stands still waits for a word, and one that is helped ends. */
export const words = law({
  id: 'words',
  says: 'with words at any moment every step ends once, and a run stands still only where it is held or paused',
  runs: 300,
  weight: 4,
  worlds: fc.record({ graph: rows, luck: fc.array(fc.nat(1_000_000), { minLength: 8, maxLength: 64 }) }),
  holds: ({ graph, luck }) => new Run(graphOf(graph), drawing(luck)).play(),
});

/** Mixed with how often it was drawn: a short list would bring the same things in turn for ever. */
function drawing(luck: readonly number[]): (below: number) => number {
  let drawn = 0;
  return (below) => {
    const mixed = Math.imul(luck[drawn++ % luck.length]! ^ Math.imul(drawn, 0x9e3779b1), 0x85ebca6b);
    return ((mixed ^ (mixed >>> 13)) >>> 0) % below;
  };
}

class Run {
  readonly #scheduler: Scheduler;
  readonly #running = new Map<number, number>();
  /** The turn in which each step ended. */
  readonly #ended = new Map<number, number>();
  #no = 0;
  #wake = false;

  constructor(
    private readonly skeleton: Skeleton,
    private readonly draw: (below: number) => number,
  ) {
    this.#scheduler = new Scheduler(skeleton, { nowMs: 0, random: () => 0.5, onFailure: 'hold' });
  }

  play(): void {
    for (let turn = 0; !this.#scheduler.ended; turn++) {
      expect(turn).toBeLessThan(3000);
      this.#carryOut();
      this.#lookAtEnds(turn);
      if (!this.#scheduler.ended) this.#happen(turn);
    }
    expect(this.#ended.size).toBe(this.skeleton.steps.length);
  }

  #carryOut(): void {
    for (const command of this.#scheduler.next()) {
      if (command.do === 'start') {
        expect(this.#running.has(command.step)).toBe(false);
        this.#running.set(command.step, command.attempt);
      }
      if (command.do === 'answer' && command.answer.ok)
        for (const id of command.answer.round?.steps ?? []) this.#ended.delete(Number(id.slice(1)));
      if (command.do === 'wakeAt') {
        this.#wake = command.atMs !== null;
        expect(command.atMs).not.toBeNaN();
      }
    }
  }

  #lookAtEnds(turn: number): void {
    for (const [index, { state }] of this.#scheduler.status().entries())
      if (SETTLED.includes(state)) this.#ended.set(index, this.#ended.get(index) ?? turn);
      else expect(this.#ended.has(index)).toBe(false);
  }

  #happen(turn: number): void {
    const { draw } = this;
    const still = this.#running.size === 0 && !this.#wake;
    if (still) expect(this.#scheduler.held > 0 || this.#scheduler.paused !== null).toBe(true);
    const at = { no: ++this.#no, atMs: this.#no * 100_000 };
    if (still || draw(5) === 0) {
      const word = aWord(draw, this.skeleton.steps.length, turn);
      return this.#scheduler.apply({ what: 'word', word, ...at });
    }
    if (this.#running.size === 0 || (this.#wake && draw(3) === 0)) {
      this.#wake = false;
      return this.#scheduler.apply({ what: 'wake', ...at });
    }
    const [step, attempt] = [...this.#running][draw(this.#running.size)]!;
    this.#running.delete(step);
    this.#scheduler.apply({ what: 'ended', step, attempt, ending: anEnding(draw), ...at });
  }
}
const SETTLED: readonly StepState[] = ['done', 'cached', 'failed', 'skipped', 'cancelled'];

function aWord(draw: (below: number) => number, steps: number, turn: number): PlainWord {
  const step = `s${draw(steps)}`;
  if (turn < 100 && draw(6) === 0) return { word: 'retry', from: step };
  const words: PlainWord[] = [
    { word: 'resume' },
    { word: 'retry' },
    { word: 'retry', step },
    { word: 'skip', step, reason: 'enough of it' },
    { word: 'cancel', step },
    { word: 'pause' },
    { word: 'note', reason: 'seen' },
  ];
  // In the end somebody comes who wants it to end.
  return turn > 300 ? words[turn % 4]! : words[draw(words.length)]!;
}

function anEnding(draw: (below: number) => number): Ending {
  if (draw(3) > 0) return { outcome: 'done', ms: 1, note: '' };
  const found = (['product', 'infra', 'lost', 'conflict', 'cancelled'] as const)[draw(5)]!;
  return { outcome: 'failed', problems: [aProblem({ class: found })] };
}
