import {
  CancellationScope,
  allHandlersFinished,
  condition,
  defineSignal,
  defineUpdate,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import type { Continued } from '../model/checkpoint.js';
import type { Problem } from '../model/failure.js';
import type { GateAction } from '../model/gate.js';
import { CONTROL, type RunId } from '../model/ids.js';
import {
  isGateAction,
  isProblem,
  readAction,
  SEND,
  whyOf,
  actionTooLong,
  type Audited,
  type StepAction,
  type Action,
  type ActionAnswer,
} from '../model/actions.js';
import { runHasEnded, shapeRefused } from './errors.js';
import type { Inputs } from './inputs.js';
import { guarded, fatalError } from './fatal-errors.js';
import { problemsOf } from './problems-of.js';
import { keepAudit } from './schedule.js';
import type { ApprovalChecks } from './approval-checks.js';

/** Signals and Updates with the names of the actions, and `send` for any of them, with what each takes. `cancel` has its own signal
 * besides. The texts are short: each answer about a workflow's metadata has all of them, twice. */
const TAKES = {
  [SEND]: '{"action": "…"} and its fields',
  retry: 'step or from; none: all held',
  skip: 'step, reason',
  cancel: 'step; none: the run',
  pause: 'no step starts',
  resume: 'ends a pause',
  note: 'reason',
  approve: 'gate, manifest',
  reject: 'gate, manifest, reason',
} as const;
/** Most refusals in the status. The sender of a signal gets no answer. */
const REFUSALS_TOLD = 5;

/** Receives the actions of operators and answers them. Each is a numbered input, and its answer goes to the audit. */
export class Actions {
  /** The last refusals, for the status. */
  readonly refused: Problem[] = [];
  /** Actions that the scheduler has not answered, by the number of their input. */
  readonly #open = new Map<number, Heard>();
  /** Actions at gates whose signatures are being verified. */
  readonly #vetted = new Set<Heard>();
  readonly #answers = new Map<number, ActionAnswer>();
  #count: number;
  #cancelReason: string | null = null;
  /** Actions that came before the checkpoint was loaded. Null if none has to wait. */
  #early: (() => void)[] | null;
  #waiting = 0;
  #ended = false;
  #kept: Promise<void> = Promise.resolve();
  /** Activities that write the audit, running or planned. */
  #keeping = 0;
  #fresh: Audited[] = [];
  /** Actions that the store did not take. They go with the next ones, because no step runs in a round that the audit lacks. */
  #lost: Audited[] = [];

  /** @param cancelRun asks the whole run to stop
   * @param isLate whether an action counts after what came with it in the same workflow task. Temporal delivers an Update before
   * the end of an activity, although a query may have told the operator of that end */
  constructor(
    private readonly inputs: Inputs,
    private readonly cancelRun: (reason: string) => void,
    private readonly approvalChecks: ApprovalChecks,
    private readonly run: RunId,
    continued: Pick<Continued, 'actions'> | undefined,
    private readonly isLate: () => boolean,
  ) {
    this.#count = continued?.actions ?? 0;
    this.#early = continued === undefined ? null : [];
    for (const [name, description] of Object.entries(TAKES)) {
      setHandler(defineUpdate<ActionAnswer, [unknown]>(name), (payload) => this.#asked(name, payload), {
        description,
        validator: (payload) => {
          const read = actionTooLong(payload) ?? readAction(name, payload);
          if (isProblem(read)) throw shapeRefused(read);
        },
      });
      setHandler(
        defineSignal<[unknown?]>(name),
        guarded((payload) => void this.#heard(name, payload)),
        { description },
      );
    }
    // A signal with an unknown name would be buffered for ever, and its sender would never know.
    setDefaultSignalHandler(guarded((name, payload) => void this.#heard(name, payload)));
  }

  /** Records the answer to the action that arrived as input `no`. */
  answer(input: number, answer: ActionAnswer): void {
    const heard = this.#open.get(input);
    this.#open.delete(input);
    if (heard !== undefined) this.#settle(heard, answer);
  }

  /** Number of the last action. */
  get count(): number {
    return this.#count;
  }

  /** The reason of the first cancel of the run that came, whether it counts already or not. Null if none came. */
  get cancelReason(): string | null {
    return this.#cancelReason;
  }

  /** Actions that the audit lacks. */
  get unaudited(): readonly Audited[] {
    return this.#lost;
  }

  /** Whether every action is answered, and the store was asked to keep each. */
  get idle(): boolean {
    return this.#open.size + this.#vetted.size + this.#keeping === 0 && allHandlersFinished();
  }

  /** Takes up what the history before left, and the actions that came meanwhile. */
  resume(refused: readonly Problem[], unaudited: readonly Audited[]): void {
    this.refused.push(...refused);
    this.#lost.push(...unaudited);
    this.#takeEarly();
  }

  #takeEarly(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const take of early) take();
  }

  /** Refuses all actions that still wait, because the run has ended. */
  end(): void {
    this.#ended = true;
    this.#takeEarly();
    this.inputs.addLate();
    for (const heard of [...this.#open.values(), ...this.#vetted])
      this.#settle(heard, { ok: false, problem: runHasEnded() });
    this.#open.clear();
    this.#vetted.clear();
    if (this.#lost.length > 0) this.#keepNext();
  }

  /** Resolves once the audit has all actions so far. */
  kept(): Promise<void> {
    return this.#kept;
  }

  /** As `kept`. Null if the audit has them already. */
  unkept(): Promise<void> | null {
    return this.#keeping > 0 ? this.#kept : null;
  }

  async #asked(name: string, payload: unknown): Promise<ActionAnswer> {
    const no = this.#heard(name, payload);
    this.#waiting++;
    // A run that Temporal was asked to cancel still answers: an action that comes meanwhile has its own answer.
    await CancellationScope.nonCancellable(() => condition(() => this.#answers.has(no)));
    const answer = this.#answers.get(no)!;
    if (--this.#waiting === 0) this.#answers.clear();
    return answer;
  }

  #heard(name: string, payload: unknown): number {
    const no = ++this.#count;
    this.#cancelReason ??= cancelReasonOf(name, payload);
    if (this.#early === null) this.#hear(no, name, payload);
    else this.#early.push(() => this.#hear(no, name, payload));
    return no;
  }

  #hear(no: number, name: string, payload: unknown): void {
    this.#try(no, name, payload, () => this.#take(no, name, payload));
  }

  #try(no: number, name: string, payload: unknown, act: () => void): void {
    try {
      act();
    } catch (error) {
      // An unexpected error: one action must not end the run.
      const problem = problemsOf(error, { id: `the action ${name}`, kind: name, on: CONTROL })[0]!;
      this.#settle({ no, sent: { action: name, payload: shown(payload) } }, { ok: false, problem });
    }
  }

  #take(no: number, name: string, payload: unknown): void {
    const read = readAction(name, payload);
    if (isProblem(read))
      this.#settle({ no, sent: { action: name, payload: shown(payload) } }, { ok: false, problem: read });
    else this.#passInTurn(() => this.#try(no, name, payload, () => this.#pass(read, { no, sent: read })));
  }

  #passInTurn(pass: () => void): void {
    if (!this.#ended && this.isLate()) this.inputs.pushLate(pass);
    else pass();
  }

  #pass(action: Action, heard: Heard): void {
    if (this.#ended) return this.#settle(heard, { ok: false, problem: runHasEnded() });
    if (isGateAction(action)) return this.#atGate(action, heard);
    if (isForScheduler(action)) {
      this.#open.set(this.inputs.push({ what: 'action', action, atMs: Date.now() }), heard);
      return;
    }
    this.cancelRun(whyOf(action));
    this.#settle(heard, { ok: true, did: 'cancelling: running steps are stopped, then clean-up steps run', steps: [] });
  }

  /** Verifies the signature before the scheduler gets the action. An action that cannot count whoever sends it is refused at once. */
  #atGate(action: GateAction, heard: Heard): void {
    const problem = this.approvalChecks.refusal(action);
    if (problem !== null) return this.#settle(heard, { ok: false, problem });
    this.#vetted.add(heard);
    this.approvalChecks.add(action, heard.no, (vetted, nonce) => {
      if (!this.#vetted.delete(heard)) return; // the run ended meanwhile
      this.#open.set(this.inputs.push({ what: 'gate action', action, vetted, nonce, atMs: Date.now() }), heard);
    });
  }

  #settle({ no, sent }: Heard, answer: ActionAnswer): void {
    this.#answers.set(no, answer);
    if (!answer.ok) this.refused.push(answer.problem);
    this.refused.splice(0, Math.max(0, this.refused.length - REFUSALS_TOLD));
    this.#fresh.push({ no, at: Date.now(), sent, answer });
    if (this.#fresh.length === 1) this.#keepNext();
  }

  #keepNext(): void {
    this.#keeping++;
    this.#kept = this.#kept
      .then(() => this.#keep())
      .catch(fatalError)
      .then(() => void this.#keeping--);
  }

  /** All that came meanwhile goes in few activities: ten thousand signals are not ten thousand activities. A cancel of the run
   * does not take it back. */
  async #keep(): Promise<void> {
    this.#fresh.unshift(...this.#lost.splice(0));
    while (this.#fresh.length > 0) {
      const actions = this.#fresh.splice(0, fitting(this.#fresh));
      if (!(await CancellationScope.nonCancellable(() => keepAudit({ run: this.run, actions }))))
        this.#lost.push(...actions);
    }
  }
}

/** The server refuses payloads of two megabytes, and the run's task with them, for ever: stay well below. */
const MOST_CHARACTERS = 500_000;

/** Returns how many of the first actions fit into one activity. At least one. */
function fitting(actions: readonly Audited[]): number {
  let left = MOST_CHARACTERS;
  const over = actions.findIndex((action) => (left -= JSON.stringify(action).length) < 0);
  return over < 0 ? actions.length : Math.max(1, over);
}

const isForScheduler = (action: Exclude<Action, GateAction>): action is Exclude<StepAction, GateAction> =>
  action.action !== 'cancel' || action.step !== undefined;

function cancelReasonOf(name: string, payload: unknown): string | null {
  const read = readAction(name, payload);
  return isProblem(read) || isGateAction(read) || isForScheduler(read) ? null : whyOf(read);
}

type Heard = Pick<Audited, 'no' | 'sent'>;

const SHOWN = 200;
const shown = (payload: unknown): string => (JSON.stringify(payload) ?? '').slice(0, SHOWN);
