import { CancellationScope, defineQuery, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { byTheClock } from '../engine/run/wall-clock.js';
import type { Scheduler } from '../engine/run/scheduler.js';
import type { SchedulerSnapshot } from '../engine/checkpoint/snapshot.js';
import type { Checkpoint, Continued } from '../model/checkpoint.js';
import type { Digest } from '../model/digest.js';
import { fail, type Problem } from '../model/failure.js';
import { CONTROL, namesIn, PIPELINE_WORKFLOW, type RunId } from '../model/ids.js';
import { STATUS_QUERY, type RunState, type RunStatus, type Verdict } from '../model/messages.js';
import type { Skeleton } from '../model/plan.js';
import { RERUN_QUERY, type RerunPreview } from '../model/actions.js';
import { details } from './details.js';
import { fitting } from './fitting.js';
import { coded } from './fatal-errors.js';
import { Inputs } from './inputs.js';
import { notRunningYet, runContinues, runHasEnded } from './errors.js';
import { Notifications } from './notifications.js';
import { ApprovalChecks } from './approval-checks.js';
import { Actions } from './actions.js';

/** Rules from this version on count an action after what came with it in one workflow task. */
const ACTIONS_COUNT_LATE = 5;

/** The run as its queries, signals and Updates see it. Created before the first await, so no message is lost. */
export class Run {
  /** Temporal's run id of the run's first history. */
  readonly id: RunId;
  readonly inputs: Inputs;
  readonly actions: Actions;
  readonly notifications = new Notifications(this);
  skeleton: Skeleton | null = null;
  scheduler: Scheduler | null = null;
  cancelled: string | null = null;
  /** True if Temporal itself was asked to cancel the workflow. Our own cancel is a signal. */
  cancelRequested = false;
  onCancel: () => void = () => undefined;
  #end: { readonly verdict: Verdict; readonly atMs: number } | null = null;
  #problems: readonly Problem[] = [];

  /** @param continued present in a later history of the run */
  constructor(readonly continued?: Continued) {
    this.id = continued?.run ?? workflowInfo().runId;
    this.inputs = new Inputs(continued?.inputs);
    const cancel = (reason: string): void => this.cancel(reason);
    const isLate = (): boolean => (this.scheduler?.engine ?? 0) >= ACTIONS_COUNT_LATE;
    this.actions = new Actions(this.inputs, cancel, new ApprovalChecks(this), this.id, continued, isLate);
    setHandler(defineQuery<RunStatus>(STATUS_QUERY), () => answered(() => this.#asked()), {
      description: 'Steps, verdict and problems of the run',
    });
    setHandler(defineQuery<RerunPreview, [unknown]>(RERUN_QUERY), (step) => answered(() => this.#rerun(step)), {
      description: 'What `retry --from STEP` would do: a step id',
    });
    // Temporal's own cancel is handled like our signal. The body below is not cancellable, so that steps can tidy up.
    CancellationScope.current().cancelRequested.catch(() => {
      this.cancelRequested = true;
      // The client's cancel is both, and both may come in one workflow task, where our signal counts after what came with it.
      this.cancel(this.actions.cancelReason ?? 'cancel was asked for');
    });
    setCurrentDetails(drawnWhenAsked(() => details(this.#whole())));
  }

  /** Returns all that the next history needs. */
  checkpoint(): Checkpoint<SchedulerSnapshot> {
    const scheduler = this.scheduler!;
    return {
      skeleton: { ...this.skeleton!, ...scheduler.fleetSeen() },
      scheduler: scheduler.snapshot(),
      cancelled: this.cancelled,
      refused: this.actions.refused,
      failedNotifications: this.notifications.failed,
      pendingNotifications: this.notifications.pending,
      unaudited: this.actions.unaudited,
    };
  }

  /** Returns what the next history is told. Nothing may be under way. */
  next(checkpoint: Digest): Continued {
    const { id: run, startedAt } = this;
    const history = (this.continued?.history ?? 1) + 1;
    const { firstExecutionRunId: first } = workflowInfo();
    return {
      checkpoint,
      run,
      first,
      startedAt,
      history,
      inputs: this.scheduler!.lastApplied,
      actions: this.actions.count,
    };
  }

  /** Goes on where the history before left off. */
  resume(
    { skeleton, cancelled, refused, failedNotifications, pendingNotifications, unaudited }: Checkpoint,
    scheduler: Scheduler,
  ): void {
    this.skeleton = skeleton;
    this.scheduler = scheduler;
    this.cancelled ??= cancelled;
    this.notifications.resume(failedNotifications, pendingNotifications);
    this.actions.resume(refused, unaudited);
  }

  /** When the run began, in milliseconds since 1970. */
  get startedAt(): number {
    return this.continued?.startedAt ?? workflowInfo().startTime.getTime();
  }

  cancel(reason: string): void {
    if (this.cancelled !== null) return;
    this.cancelled = reason;
    this.inputs.push({ what: 'cancel', reason, atMs: Date.now() });
    this.onCancel();
  }

  end(verdict: Verdict, problems: readonly Problem[] = []): void {
    this.#end = { verdict, atMs: Date.now() };
    this.#problems = problems;
  }

  #asked(): RunStatus {
    this.#assertLoaded();
    return this.status();
  }

  status(): RunStatus {
    return fitting(this.#whole());
  }

  /** Throws RUN_CONTINUES while the checkpoint is being loaded. */
  #assertLoaded(): void {
    if (this.continued !== undefined && this.scheduler === null && this.#end === null) throw fail(runContinues());
  }

  #rerun(step: unknown): RerunPreview {
    this.#assertLoaded();
    if (this.#end) return { ok: false, problem: runHasEnded() };
    if (!this.scheduler) return { ok: false, problem: notRunningYet() };
    return this.scheduler.answers.previewRerun(typeof step === 'string' ? step : (JSON.stringify(step) ?? ''));
  }

  #whole(): RunStatus {
    const { workflowId } = workflowInfo();
    const { kind, name, version } = namesIn(workflowId) ?? { kind: '', name: workflowId, version: '' };
    const waiting = this.scheduler?.waiting() ?? [];
    const paused = this.scheduler?.paused ?? null;
    const drains = this.scheduler?.drains ?? null;
    const outages = this.scheduler?.outages() ?? [];
    const { slots = {}, sizes = {} } = this.scheduler?.fleet() ?? {};
    const { refused } = this.actions;
    const { failed } = this.notifications;
    const status: RunStatus = {
      workflowId,
      run: this.id,
      plan: this.skeleton?.plan ?? null,
      name: this.skeleton?.name ?? name,
      version: this.skeleton?.version ?? version,
      rehearsal: this.skeleton?.rehearsal ?? kind === 'rehearsal',
      ...((this.skeleton?.pipeline ?? kind === PIPELINE_WORKFLOW) && { pipeline: true as const }),
      state: this.state,
      startedAt: this.startedAt,
      ...(this.scheduler ? { engine: this.scheduler.engine } : {}),
      ...(this.continued ? { history: this.continued.history } : {}),
      ...(this.#end ? { endedAt: this.#end.atMs, verdict: this.#end.verdict } : {}),
      steps: this.scheduler?.status() ?? [],
      ...(waiting.length > 0 && !this.#end ? { waiting } : {}),
      ...(Object.keys(slots).length > 0 && !this.#end ? { slots, windows: sizes } : {}),
      ...(paused !== null && !this.#end ? { paused } : {}),
      ...(drains !== null && !this.#end ? { waits: drains } : {}),
      ...(refused.length > 0 && !this.#end ? { refused: [...refused] } : {}),
      ...(failed.length > 0 ? { failedNotifications: [...failed] } : {}),
      ...(outages.length > 0 ? { outages } : {}),
      problems: this.#problems,
    };
    return byTheClock(status, this.scheduler?.aheadMs ?? 0);
  }

  get state(): RunState {
    if (this.#end) return 'ended';
    if (this.cancelled !== null) return 'cancelling';
    if (!this.scheduler) return 'planning';
    if (this.scheduler.paused !== null) return 'paused';
    if (this.scheduler.waiting().length > 0 || this.scheduler.awaitsService) return 'waiting';
    if (!this.scheduler.still) return 'running';
    if (this.scheduler.held > 0) return 'held';
    return this.scheduler.atGates > 0 ? 'at gate' : 'running';
  }
}

/** Answers a query. An error goes to the caller with a code, and the run goes on. */
function answered<T>(answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    throw coded(error, { id: 'a query', kind: 'release', on: CONTROL });
  }
}

/** Returns an object that Temporal serialises only when somebody asks. Rendering thousands of steps after each change would cost
 * more than the run. */
const drawnWhenAsked = (draw: () => string): string => ({ toJSON: draw }) as unknown as string;
