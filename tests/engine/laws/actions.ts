// `assert` where a run asks at every turn: a call of `expect` costs as much as a turn.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Command, AttemptResult } from '../../../src/engine/run/inputs.js';
import { Scheduler } from '../../../src/engine/run/scheduler.js';
import type { StepState } from '../../../src/model/messages.js';
import type { Skeleton } from '../../../src/model/plan.js';
import type { GateRules } from '../../../src/model/gate.js';
import { aRule, aSigner, aYes, OTHER, SEALED, nonceAt } from '../a-gate.js';
import { aProblem, aSkeleton } from '../a-skeleton.js';
import type { PlainAction } from '../drive.js';
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
      const edges = { needs: to('needs'), wants: to('wants'), after: to('after') };
      if (n % 5 === 4) return { id: `gates/g${n}`, kind: 'passGate', gate: ruleOf(n), ...edges } as const;
      return { id: `s${n}`, kind: n % 3 === 2 ? 'publishArtifacts' : 'runCommand', ...edges } as const;
    }),
    { windows: { control: 3 } },
  );

const ruleOf = (n: number): GateRules => aRule({ gate: `g${n}`, soakMs: n % 2 === 0 ? 0 : 250_000, quorum: 1 });

/** Whatever people say, whenever they say it: a run that stands still waits for an action, and one that is helped ends. */
export const actions = law({
  id: 'actions',
  says: 'given actions at any moment, then every step ends once, no gate passes unapproved, and a run stops only for an action',
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
  readonly #running = new Map<number, Extract<Command, { do: 'start' | 'open' }>>();
  /** Gates that somebody said yes to. */
  readonly #approved = new Set<string>();
  /** The gate of each approval that was said, by the number of the input. */
  readonly #asked = new Map<number, string>();
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
      assert(turn < 3000, 'the run does not end');
      this.#carryOut();
      this.#lookAtEnds(turn);
      if (!this.#scheduler.ended) this.#happen(turn);
    }
    expect(this.#ended.size).toBe(this.skeleton.steps.length);
  }

  #carryOut(): void {
    for (const command of this.#scheduler.next()) {
      if (command.do === 'start' || command.do === 'open') this.#begin(command);
      if (command.do === 'answer' && command.answer.ok) {
        this.#approved.add(this.#asked.get(command.no) ?? '');
        for (const id of command.answer.round?.steps ?? []) this.#ended.delete(this.#index(id));
      }
      if (command.do === 'wakeAt') {
        this.#wake = command.atMs !== null;
        assert(!Number.isNaN(command.atMs), 'the run wakes at NaN');
      }
    }
  }

  #begin(command: Extract<Command, { do: 'start' | 'open' }>): void {
    const { gate } = this.skeleton.steps[command.step]!;
    assert(!this.#running.has(command.step), `step ${command.step} started twice`);
    if (command.do === 'start' && gate !== undefined) expect(this.#approved).toContain(gate.gate);
    this.#running.set(command.step, command);
  }

  #index(id: string): number {
    return this.skeleton.steps.findIndex((step) => step.id === id);
  }

  #lookAtEnds(turn: number): void {
    for (const [index, { state }] of this.#scheduler.status().entries())
      if (SETTLED.includes(state)) this.#ended.set(index, this.#ended.get(index) ?? turn);
      else assert(!this.#ended.has(index), `step ${index} had ended, and is ${state}`);
  }

  #happen(turn: number): void {
    const { draw } = this;
    const still = this.#running.size === 0 && !this.#wake;
    const { held, paused, atGates } = this.#scheduler;
    assert(!still || held + atGates > 0 || paused !== null, 'the run waits for nothing');
    const at = { no: ++this.#no, atMs: this.#no * 100_000 };
    if (turn > 30 && draw(100) === 0) return this.#scheduler.apply({ what: 'cancel', reason: 'enough', ...at });
    if (still || draw(5) === 0) {
      if (atGates > 0 && draw(2) === 0) return this.#answerAtGate(at);
      const action = anAction(draw, this.skeleton.steps, turn);
      return this.#scheduler.apply({ what: 'action', action, ...at });
    }
    if (this.#running.size === 0 || (this.#wake && draw(3) === 0)) {
      this.#wake = false;
      return this.#scheduler.apply({ what: 'wake', ...at });
    }
    this.#end([...this.#running.values()][draw(this.#running.size)]!, at);
  }

  #end({ do: did, step, attempt }: Extract<Command, { do: 'start' | 'open' }>, at: At): void {
    this.#running.delete(step);
    if (did === 'open' && this.draw(4) > 0) {
      const manifest = [SEALED, OTHER][this.draw(2)]!;
      return this.#scheduler.apply({ what: 'opened', step, attempt, manifest, earlier: [], targets: [], ...at });
    }
    this.#scheduler.apply({ what: 'ended', step, attempt, ending: anEnding(this.draw), ...at });
  }

  #answerAtGate(at: At): void {
    const gates = this.skeleton.steps.flatMap(({ gate }) => (gate === undefined ? [] : [gate.gate]));
    const gate = gates[this.draw(gates.length)]!;
    const { manifest = SEALED } = this.#scheduler.status()[this.#index(`gates/${gate}`)]!.gate ?? {};
    const yes = { ...aYes(), gate, manifest, signature: `signed ${at.no}` };
    const action = this.draw(6) === 0 ? { ...yes, action: 'reject' as const, reason: 'typo' } : yes;
    if (action.action === 'approve') this.#asked.set(at.no, gate);
    const [vetted, nonce] = [{ ok: true, signer: aSigner('kim') } as const, nonceAt(this.#scheduler, action)];
    this.#scheduler.apply({ what: 'gate action', action, vetted, nonce, ...at });
  }
}

interface At {
  readonly no: number;
  readonly atMs: number;
}

const SETTLED: readonly StepState[] = ['done', 'cached', 'failed', 'skipped', 'cancelled'];

function anAction(draw: (below: number) => number, steps: Skeleton['steps'], turn: number): PlainAction {
  const step = steps[draw(steps.length)]!.id;
  if (turn < 100 && draw(6) === 0) return { action: 'retry', from: step };
  const actions: PlainAction[] = [
    { action: 'resume' },
    { action: 'retry' },
    { action: 'retry', step },
    { action: 'skip', step, reason: 'enough of it' },
    { action: 'cancel', step },
    { action: 'pause' },
    { action: 'note', reason: 'seen' },
  ];
  // In the end somebody comes who wants it to end.
  return turn > 300 ? actions[turn % 4]! : actions[draw(actions.length)]!;
}

function anEnding(draw: (below: number) => number): AttemptResult {
  if (draw(3) > 0) return { outcome: 'done', ms: 1, note: '' };
  const found = (['product', 'infra', 'lost', 'conflict', 'cancelled'] as const)[draw(5)]!;
  if (draw(4) === 0) return { outcome: 'failed', problems: [aProblem({ class: 'infra', service: 'docker' })] };
  return { outcome: 'failed', problems: [aProblem({ class: found })] };
}
