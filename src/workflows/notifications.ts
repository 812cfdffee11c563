import { CancellationScope, sleep, workflowInfo } from '@temporalio/workflow';
import type { PendingNotification } from '../model/checkpoint.js';
import type { Problem } from '../model/failure.js';
import { CONTROL, type RunId } from '../model/ids.js';
import type { Verdict } from '../model/messages.js';
import type { NoticeEvent } from '../model/listener.js';
import type { Notice, UnsentNotices } from '../model/notice.js';
import type { Skeleton } from '../model/plan.js';
import { notToldInTime } from './errors.js';
import { problemsOf } from './problems-of.js';
import { notify } from './schedule.js';

/** How long an ended run waits for a listener that does not answer. */
const LAST_MESSAGES_MS = 60_000;
/** Most failures in the status. */
const MOST_SHOWN = 5;

/** Sends messages to people, one activity for each listener. A failure is listed in the status and never fails the run. */
export class Notifications {
  /** The last failures, for the status. */
  readonly failed: Problem[] = [];
  readonly #underWay = new Set<UnderWay>();

  constructor(private readonly run: { readonly id: RunId; readonly skeleton: Skeleton | null }) {}

  /** Messages whose sending has not ended. */
  get pending(): readonly PendingNotification[] {
    return [...this.#underWay].map(({ message }) => message);
  }

  /** Goes on with what the history before left. */
  resume(failed: readonly Problem[], pending: readonly PendingNotification[]): void {
    this.failed.push(...failed);
    for (const message of pending) this.#start(message);
  }

  notify(no: number, notices: readonly Notice[], more: UnsentNotices): void {
    for (const { name, on } of this.#listeners) {
      const mine = notices.filter(({ event }) => on.includes(event));
      const counted = on.reduce((sum, event) => sum + (more[event] ?? 0), 0);
      if (mine.length + counted > 0) this.#start({ to: name, no: String(no), notices: mine, more: counted });
    }
  }

  /** Sends the verdict, and waits a while for messages that are still under way. */
  async end(verdict: Verdict): Promise<void> {
    const { nothingNew, nothingToDo } = this.run.skeleton ?? {};
    const all = (nothingNew ?? nothingToDo) === undefined ? this.#listeners : [];
    for (const { name, on } of all)
      if (on.includes('verdict' satisfies NoticeEvent))
        this.#start({ to: name, no: 'verdict', notices: [], more: 0, verdict });
    if (this.#underWay.size === 0) return;
    const patience = new CancellationScope();
    const over = patience.run(() => sleep(LAST_MESSAGES_MS)).catch(() => undefined);
    await Promise.race([Promise.all([...this.#underWay].map(({ asked }) => asked)), over]);
    patience.cancel();
    for (const { message, scope } of this.#underWay) {
      this.#missed(notToldInTime(message.to));
      scope.cancel();
    }
  }

  get #listeners(): NonNullable<Skeleton['notify']>['listeners'] {
    return this.run.skeleton?.notify?.listeners ?? [];
  }

  #start(message: PendingNotification): void {
    const { no, ...told } = message;
    const { id: run, skeleton } = this.run;
    const { workflowId } = workflowInfo();
    const telling = { plan: skeleton!.plan, run, workflowId, id: `${run}/${no}`, ...told };
    const about = { id: `notify.${message.to}`, kind: 'notify', on: CONTROL };
    const scope = new CancellationScope();
    const asked = scope
      .run(() => notify(telling))
      .catch((error: unknown) => {
        if (!scope.consideredCancelled) this.#missed(problemsOf(error, about)[0]!);
      })
      .then(() => void this.#underWay.delete(one));
    const one: UnderWay = { message, scope, asked };
    this.#underWay.add(one);
  }

  #missed(problem: Problem): void {
    this.failed.push(problem);
    this.failed.splice(0, Math.max(0, this.failed.length - MOST_SHOWN));
  }
}

interface UnderWay {
  readonly message: PendingNotification;
  readonly scope: CancellationScope;
  readonly asked: Promise<void>;
}
