import type { NoticeEvent, RemindTimes } from '../../model/listener.js';
import { firstErrorText } from '../../model/first-error.js';
import type { StepNotice } from '../../model/notice.js';
import type { Outage } from '../../model/outage.js';
import type { RunGraph } from '../run/run-graph.js';
import type { StepProgress } from '../run/step-progress.js';
import { counting, gateStatus, whyShut } from '../gates/gate-rules.js';
import type { Command } from '../run/inputs.js';
import { earliest } from '../run/earliest.js';
import { outageNews, type OutageNews } from '../outages/news.js';

/** Steps that fail within this time share one notification. */
export const GATHER_MS = 5000;
/** Minimum time between two notifications about new held steps. */
export const APART_MS = 60_000;
/** Limit of notices per notification. The rest are counted. */
const MOST_TOLD = 20;
const LONGEST_TEXT = 500;
/** A failure is told once. */
const NEVER = Infinity;

/** Notifications so far about one waiting step. */
export interface SentRow {
  /** Start of the wait. A later hold of the same step is a new wait. */
  readonly sinceMs: number;
  readonly atMs: number;
  readonly times: number;
}

/** Returns when the next notification is due about a step that waits since `sinceMs`.
 * @param told notifications about it so far. Null if none was sent.
 * @param lastMs time of the last notification about any step. Null if none was sent. */
export function dueAtMs(sinceMs: number, told: SentRow | null, lastMs: number | null, times: RemindTimes): number {
  if (told === null || told.sinceMs !== sinceMs) return Math.max(sinceMs + GATHER_MS, (lastMs ?? -Infinity) + APART_MS);
  return told.atMs + (told.times === 1 ? times.afterMs : times.everyMs);
}

/** State of a run's notifications, as plain data. */
export interface RemindersState {
  told: Readonly<Record<number, SentRow>>;
  outages: OutageNews['told'];
  /** Time of the last notification about a waiting step. */
  lastMs: number | null;
  count: number;
}

/** Decides when to notify people of held steps, gates and outages: at once, then at set times until they answer. */
export class Reminders {
  readonly state: RemindersState = { told: {}, outages: {}, lastMs: null, count: 0 };

  /** @param times intervals between reminders. Null for a run without listeners.
   * @param outages open outages and ended ones */
  constructor(
    private readonly graph: RunGraph,
    private readonly times: RemindTimes | null,
    private readonly outages: () => readonly Outage[] = () => [],
  ) {}

  /** Returns when the next notification is due. Null if never. */
  nextMs(): number | null {
    if (this.times === null) return null;
    const dueMs = this.#waiting().map((one) => (one.dueMs === NEVER ? null : one.dueMs));
    return earliest([...dueMs, this.#outageNews().nextMs]);
  }

  /** Returns at most one notification with everything that is due or new. */
  tell(): readonly Command[] {
    if (this.times === null) return [];
    const outages = this.#outageNews();
    this.state.outages = outages.told;
    const steps = this.#due();
    if (steps.length + outages.notices.length === 0) return [];
    const told = steps.slice(0, MOST_TOLD);
    const more: Partial<Record<NoticeEvent, number>> = {};
    for (const one of steps.slice(MOST_TOLD)) more[this.#eventOf(one)] = (more[this.#eventOf(one)] ?? 0) + 1;
    const notices = [...outages.notices, ...told.map((one) => this.#notice(one))];
    return [{ do: 'notify', no: ++this.state.count, notices, more }];
  }

  /** Returns the steps of the next notification, gates first, and marks them as sent. */
  #due(): readonly Waiting[] {
    const { nowMs } = this.graph;
    const waiting = this.#waiting();
    this.#forgetAllBut(waiting);
    if (!waiting.some(({ dueMs }) => dueMs <= nowMs)) return [];
    const news = waiting.filter(({ dueMs, times }) => dueMs <= nowMs || times === 0);
    const marks = news.map(({ step, sinceMs, times }) => [step, { sinceMs, atMs: nowMs, times: times + 1 }] as const);
    this.state.told = { ...this.state.told, ...Object.fromEntries(marks) };
    this.state.lastMs = nowMs;
    const isGate = ({ step }: Waiting): boolean => this.graph.cells[step]!.state === 'at gate';
    return [...news.filter(isGate), ...news.filter((one) => !isGate(one))];
  }

  #outageNews(): OutageNews {
    return outageNews(this.outages(), this.state.outages, this.graph.nowMs);
  }

  /** Returns the steps that wait for a person, and the failures that people are told of. */
  #waiting(): readonly Waiting[] {
    const { times } = this;
    const count = this.graph.count('held') + this.graph.count('at gate') + this.graph.count('failed');
    if (times === null || count === 0) return [];
    return this.graph.cells.flatMap((cell, step) => {
      if (!this.#waitsForPeople(step, cell)) return [];
      const sinceMs = (cell.heldAtMs ?? cell.failedAtMs)!;
      const known = this.state.told[step];
      const told = known?.sinceMs === sinceMs ? known : null;
      const isOver = told !== null && cell.state === 'failed';
      const dueMs = isOver ? NEVER : dueAtMs(sinceMs, told, this.state.lastMs, times);
      return [{ step, sinceMs, times: told?.times ?? 0, dueMs }];
    });
  }

  /** Whether people are told of the step. A gate that waits only for its soak is not told. */
  #waitsForPeople(step: number, { state, gate, failedAtMs }: StepProgress): boolean {
    if (state === 'held' || (state === 'failed' && failedAtMs !== undefined)) return true;
    const { gate: rules } = this.graph.steps[step]!;
    if (state !== 'at gate' || rules === undefined || gate === undefined) return false;
    return counting(gate, this.graph.nowMs).length < rules.quorum;
  }

  #eventOf({ step, times }: Waiting): StepNotice['event'] {
    if (times > 0) return 'reminder';
    const { state } = this.graph.cells[step]!;
    return state === 'at gate' ? 'gate' : state === 'failed' ? 'failed' : 'held';
  }

  #notice(one: Waiting): StepNotice {
    const { step, sinceMs } = one;
    const { id, gate: rules } = this.graph.steps[step]!;
    const { state, gate, problems, because } = this.graph.cells[step]!;
    const event = this.#eventOf(one);
    if (state === 'at gate') {
      const status = gateStatus(rules!, gate!, this.graph.nowMs);
      const { manifest, next } = status;
      return { event, step: id, sinceMs, because: cut(whyShut(status)), next, manifest };
    }
    const first = problems?.[0];
    const firstError = firstErrorText(first ?? {});
    return {
      ...{ event, step: id, sinceMs },
      ...(first !== undefined && { code: first.code }),
      because: cut(because ?? first?.message ?? 'no reason known'),
      ...(firstError !== null && { firstError: cut(firstError) }),
      next: state === 'failed' ? `slipway logs ${id}` : `slipway retry ${id}, or slipway skip ${id} --reason '…'`,
    };
  }

  /** Forgets answered steps, because the same step may be held again. */
  #forgetAllBut(waiting: readonly Waiting[]): void {
    const { told } = this.state;
    const kept = waiting.flatMap(({ step }) => (told[step] === undefined ? [] : [[step, told[step]] as const]));
    this.state.told = Object.fromEntries(kept);
  }
}

interface Waiting {
  readonly step: number;
  readonly sinceMs: number;
  readonly times: number;
  readonly dueMs: number;
}

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text);
