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

/** Steps that fail together are told together. */
export const GATHER_MS = 5000;
/** What comes to be held after a message waits so long for the next one: a bad night makes some messages, not hundreds. */
export const APART_MS = 60_000;
/** The rest is counted. */
const MOST_TOLD = 20;
const LONGEST_TEXT = 500;

/** What people were told of one step that waits for them. */
export interface SentRow {
  /** Since when it waited: another hold of the step is another matter. */
  readonly sinceMs: number;
  /** The last message about it. */
  readonly atMs: number;
  /** Messages about it so far. */
  readonly times: number;
}

/** When people are next told of something that waits since `sinceMs`.
 * @param told what they were told of it; null: nothing yet
 * @param lastMs the last message about anything; null: none was */
export function dueAtMs(sinceMs: number, told: SentRow | null, lastMs: number | null, times: RemindTimes): number {
  if (told === null || told.sinceMs !== sinceMs) return Math.max(sinceMs + GATHER_MS, (lastMs ?? -Infinity) + APART_MS);
  return told.atMs + (told.times === 1 ? times.afterMs : times.everyMs);
}

/** What people know of a run. Plain data: travels with it. */
export interface RemindersState {
  /** By number of the step. */
  told: Readonly<Record<number, SentRow>>;
  /** Services that they know not to answer. */
  outages: OutageNews['told'];
  /** The last message about anything that waits. */
  lastMs: number | null;
  /** Messages so far. */
  count: number;
}

/** Tells people of what waits for their word, once at first and then at set times until somebody answers; and of outages. */
export class Reminders {
  readonly state: RemindersState = { told: {}, outages: {}, lastMs: null, count: 0 };

  /** @param times null: nobody is told of this run
   * @param outages services that do not answer, or did not */
  constructor(
    private readonly graph: RunGraph,
    private readonly times: RemindTimes | null,
    private readonly outages: () => readonly Outage[] = () => [],
  ) {}

  /** The next time at which somebody is to be told something; null: never. */
  nextMs(): number | null {
    if (this.times === null) return null;
    return earliest([...this.#waiting().map(({ dueMs }) => dueMs), this.#outageNews().nextMs]);
  }

  /** At most one message: all that is due, and what is new besides. */
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
    return [{ do: 'tell', no: ++this.state.count, notices, more }];
  }

  /** Steps that are told of now; marked as told. Gates, which are few, come first. */
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

  /** Everything that waits for people now. */
  #waiting(): readonly Waiting[] {
    const { times } = this;
    if (times === null || this.graph.count('held') + this.graph.count('at gate') === 0) return [];
    return this.graph.cells.flatMap((cell, step) => {
      if (!this.#waitsForPeople(step, cell)) return [];
      const sinceMs = cell.heldAtMs!;
      const known = this.state.told[step];
      const told = known?.sinceMs === sinceMs ? known : null;
      return [{ step, sinceMs, times: told?.times ?? 0, dueMs: dueAtMs(sinceMs, told, this.state.lastMs, times) }];
    });
  }

  /** A gate that only lets time pass, or has its approvals, waits for nobody. */
  #waitsForPeople(step: number, { state, gate }: StepProgress): boolean {
    if (state === 'held') return true;
    const { gate: rules } = this.graph.steps[step]!;
    if (state !== 'at gate' || rules === undefined || gate === undefined) return false;
    return counting(gate, this.graph.nowMs).length < rules.quorum;
  }

  #eventOf({ step, times }: Waiting): StepNotice['event'] {
    if (times > 0) return 'reminder';
    return this.graph.cells[step]!.state === 'at gate' ? 'gate' : 'held';
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
      next: `slipway retry ${id}, or slipway skip ${id} --reason '…'`,
    };
  }

  /** What was answered is no longer known: the same step may be held again. */
  #forgetAllBut(waiting: readonly Waiting[]): void {
    const { told } = this.state;
    const kept = waiting.flatMap(({ step }) => (told[step] === undefined ? [] : [[step, told[step]] as const]));
    this.state.told = Object.fromEntries(kept);
  }
}

interface Waiting {
  readonly step: number;
  readonly sinceMs: number;
  /** Messages about this wait so far. */
  readonly times: number;
  readonly dueMs: number;
}

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text);
