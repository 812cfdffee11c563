import { CancellationScope, sleep } from '@temporalio/workflow';
import { truncateProblems } from '../engine/checkpoint/failure-output.js';
import type { Command, AttemptResult, Input, LookupFrom } from '../engine/run/inputs.js';
import { gateOpened, stepEnding, workKnown } from '../model/answers.js';
import type { Check } from '../model/check.js';
import type { OpenedGate, OpenGate } from '../model/gate.js';
import { CONTROL, type RunId } from '../model/ids.js';
import type { StepEnding } from '../model/messages.js';
import type { Skeleton } from '../model/plan.js';
import type { Priority } from '../model/priority.js';
import { isAnew, CACHE_LOOKUP, type Reuse, type Reused } from '../model/reuse.js';
import { AttemptScope } from './attempt-scope.js';
import type { Inputs } from './inputs.js';
import { unawaited } from './fatal-errors.js';
import { problemsOf, refused, type About } from './problems-of.js';
import { openGate, perform, lookUpCache } from './schedule.js';

/** The part of a run that the executor uses. */
export interface ExecutorContext {
  readonly run: { readonly workflowId: string; readonly id: RunId };
  /** Priority of a run that was started by hand. */
  readonly priority: Priority | undefined;
  /** Resolves once the audit has all actions so far. Null if it has them. */
  kept(): Promise<void> | null;
}

/** Outcome of an attempt, or of opening a gate. */
type Came =
  | { readonly what: 'ended'; readonly ending: AttemptResult }
  | ({ readonly what: 'known' } & Reused)
  | ({ readonly what: 'opened' } & OpenedGate);

/** Characters of a timer's summary. Temporal refuses more than 400 bytes, and a codec adds some. */
const MOST_SUMMARY = 150;

const WALKING: About = { id: 'looking up cached results', kind: 'lookUpCache', on: CONTROL };

/** Schedules activities and the one timer. Each method returns at once. Nothing rejects: every outcome becomes an input. */
export class TemporalExecutor {
  readonly #underWay = new Map<number, AttemptScope>();
  #timer: CancellationScope | null = null;

  constructor(
    private readonly skeleton: Skeleton,
    private readonly inputs: Inputs,
    private readonly around: ExecutorContext,
  ) {}

  start({ do: _, step, ...told }: Extract<Command, { do: 'start' }>): void {
    const row = this.skeleton.steps[step]!;
    const { run, priority } = this.around;
    const input = {
      ...{ plan: this.skeleton.plan, step: row.id, run: run.id, ...told },
      ...(isAnew(this.skeleton, step) && { noCache: true as const }),
    };
    const act = (): Promise<StepEnding> => perform(row, input, priority);
    const read = ({ outcome, ms, note, sealed, lost }: StepEnding): Came => ({
      what: 'ended',
      ending: { outcome, ms, note, ...(row.kind === 'sealManifest' && { sealed }), ...(lost && { lost }) },
    });
    this.#carryOut(step, told.attempt, act, { check: stepEnding, read });
  }

  /** Reads the manifest and targets of a gate. */
  open({ step, attempt, sealed }: Extract<Command, { do: 'open' }>): void {
    const { id: run, workflowId } = this.around.run;
    const { plan, steps } = this.skeleton;
    const about = { plan, step: steps[step]!.id, run, workflowId, ...(sealed !== undefined && { sealed }) };
    const act = (): ReturnType<OpenGate> => openGate(about);
    this.#carryOut(step, attempt, act, {
      check: gateOpened(sealed),
      read: ({ manifest, earlier, targets }) => ({ what: 'opened', manifest, earlier, targets }),
    });
  }

  lookUp(attempt: number, where: LookupFrom): void {
    const { id: run, workflowId } = this.around.run;
    const act = (): ReturnType<Reuse> => lookUpCache({ plan: this.skeleton.plan, run, workflowId, ...where });
    this.#carryOut(CACHE_LOOKUP, attempt, act, {
      check: workKnown(this.skeleton.steps),
      read: ({ found, unknown }) => ({ what: 'known', found, unknown }),
    });
  }

  #carryOut<Answer>(
    step: number,
    attempt: number,
    act: () => Promise<Answer>,
    { check, read }: { readonly check: Check; read(answer: Answer): Came },
  ): void {
    const scope = new AttemptScope();
    this.#underWay.set(step, scope);
    const end = (came: Came): void => {
      this.#underWay.delete(step);
      this.inputs.push({ ...came, step, attempt, atMs: Date.now() } as Input);
    };
    const ended = this.#inTime(scope, act).then(
      (answer) => {
        const fault = check(answer);
        end(fault === null ? read(answer) : { what: 'ended', ending: this.#refused(step, fault, answer) });
      },
      (error: unknown) => end({ what: 'ended', ending: this.#failed(step, error) }),
    );
    unawaited(ended);
  }

  /** Waits until the audit has all actions, because a seal reads there which steps people left out. A cancel does not wait for the store. */
  #inTime<Answer>(scope: AttemptScope, act: () => Promise<Answer>): Promise<Answer> {
    const kept = this.around.kept();
    if (kept !== null) return Promise.race([kept, scope.cancelled()]).then(() => scope.run(act));
    try {
      return scope.run(act);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  abort(step: number): void {
    this.#underWay.get(step)?.cancel();
  }

  /** Whether no activity is under way. */
  get idle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Sets the one timer. Null clears it. Temporal's page shows the summary. */
  wakeIn({ inMs, summary = '' }: Pick<Extract<Command, { do: 'wakeAt' }>, 'inMs' | 'summary'>): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (inMs === null) return;
    const scope = (this.#timer = new CancellationScope());
    void scope
      .run(() => sleep(inMs, { summary: summary.slice(0, MOST_SUMMARY) }))
      .then(() => this.inputs.push({ what: 'wake', atMs: Date.now() }))
      .catch(() => undefined); // replaced by another time
  }

  #failed(step: number, error: unknown): AttemptResult {
    return { outcome: 'failed', problems: truncateProblems(problemsOf(error, this.#about(step))) };
  }

  #refused(step: number, fault: string, answer: unknown): AttemptResult {
    return { outcome: 'failed', problems: [refused(this.#about(step).id, fault, answer)] };
  }

  #about(step: number): About {
    return this.skeleton.steps[step] ?? WALKING;
  }
}
