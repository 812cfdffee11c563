import { CancellationScope, sleep } from '@temporalio/workflow';
import type { Ending, Input, WalkFrom } from '../engine/inputs.js';
import type { Digest } from '../model/digest.js';
import type { VoidApproval } from '../model/gate.js';
import { CONTROL, type RunId } from '../model/ids.js';
import type { StepInput } from '../model/messages.js';
import type { Skeleton } from '../model/plan.js';
import type { Priority } from '../model/priority.js';
import { WALK, type Reused } from '../model/reuse.js';
import type { NotTold, Notice } from '../model/notice.js';
import type { Inputs } from './inputs.js';
import { problemsOf, type About } from './problems-of.js';
import type { Hands } from './run-steps.js';
import { openGate, perform, reuse } from './schedule.js';
import type { WordAnswer } from '../model/words.js';

/** What hands need of the run around them. */
export interface Around {
  /** Of the root, whoever carries out its steps. */
  readonly run: { readonly workflowId: string; readonly runId: RunId };
  /** Said by whoever started the run by hand. */
  readonly priority: Priority | undefined;
  /** Resolves when all words so far stand in the audit. */
  kept(): Promise<void>;
  /** Of the word that came as the input with this number. */
  answer(no: number, answer: WordAnswer): void;
  tell(telling: { readonly no: number; readonly notices: readonly Notice[]; readonly more: NotTold }): void;
  /** Stops an attempt that was not started here. */
  abortElsewhere(step: number): void;
}

/** What came of a step that was started, or of a gate that was asked about. */
type Came =
  | { readonly what: 'ended'; readonly ending: Ending }
  | ({ readonly what: 'known' } & Reused)
  | { readonly what: 'opened'; readonly manifest: Digest; readonly earlier: readonly VoidApproval[] };

const WALKING: About = { id: 'looking up known work', kind: 'reuse', on: CONTROL };

/** Activities and the one timer. Nothing here rejects: every ending, however bad, becomes an input. */
export class TemporalHands implements Hands {
  readonly #underWay = new Map<number, { readonly attempt: number; readonly scope: CancellationScope }>();
  #timer: CancellationScope | null = null;

  constructor(
    private readonly skeleton: Skeleton,
    private readonly inputs: Inputs,
    private readonly around: Around,
  ) {}

  start(step: number, attempt: number, round?: number): void {
    this.#carryOut(step, () => this.#ending(step, { attempt, ...(round !== undefined && { round }) }), attempt);
  }

  open(step: number, attempt: number): void {
    this.#carryOut(step, () => this.#opening(step), attempt);
  }

  reuse(walk: number, where: WalkFrom): void {
    this.#carryOut(WALK, () => this.#walking(where), walk);
  }

  #carryOut(step: number, act: () => Promise<Came>, attempt: number): void {
    const scope = new CancellationScope();
    this.#underWay.set(step, { attempt, scope });
    void scope
      .run(act)
      .catch((error: unknown) => ({ what: 'ended', ending: this.#failed(step, error) }) as const)
      .then((came) => {
        this.#underWay.delete(step);
        this.inputs.push({ ...came, step, attempt, atMs: Date.now() } as Input);
      });
  }

  async #opening(step: number): Promise<Came> {
    const { runId, workflowId } = this.around.run;
    const { plan, steps } = this.skeleton;
    const opened = await openGate({ plan, step: steps[step]!.id, run: runId, workflowId });
    return { what: 'opened', ...opened };
  }

  async #walking(where: WalkFrom): Promise<Came> {
    const { runId, workflowId } = this.around.run;
    await Promise.race([this.around.kept(), CancellationScope.current().cancelRequested]);
    return { what: 'known', ...(await reuse({ plan: this.skeleton.plan, run: runId, workflowId, ...where })) };
  }

  answer(no: number, answer: WordAnswer): void {
    this.around.answer(no, answer);
  }

  tell(no: number, notices: readonly Notice[], more: NotTold): void {
    this.around.tell({ no, notices, more });
  }

  abort(step: number): void {
    const here = this.#underWay.get(step);
    if (here) here.scope.cancel();
    else this.around.abortElsewhere(step);
  }

  /** Attempts that were started here and have not ended. */
  underWay(): readonly { readonly step: number; readonly attempt: number }[] {
    return [...this.#underWay].map(([step, { attempt }]) => ({ step, attempt }));
  }

  wakeIn(inMs: number | null): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (inMs === null) return;
    const scope = (this.#timer = new CancellationScope());
    void scope
      .run(() => sleep(inMs))
      .then(() => this.inputs.push({ what: 'wake', atMs: Date.now() }))
      .catch(() => undefined); // replaced by another time
  }

  async #ending(step: number, which: Pick<StepInput, 'attempt' | 'round'>): Promise<Came> {
    const row = this.skeleton.steps[step]!;
    const run = this.around.run.runId;
    // A seal reads there what people left out. A cancel does not wait for a store that is away.
    await Promise.race([this.around.kept(), CancellationScope.current().cancelRequested]);
    const input = { plan: this.skeleton.plan, step: row.id, run, ...which };
    const { outcome, ms, note } = await perform(row, input, this.around.priority);
    return { what: 'ended', ending: { outcome, ms, note } };
  }

  #failed(step: number, error: unknown): Ending {
    return { outcome: 'failed', problems: problemsOf(error, this.skeleton.steps[step] ?? WALKING) };
  }
}
