import type { RemindTimes } from '../model/listener.js';
import type { Notice } from '../model/notice.js';
import type { Board } from './board.js';
import type { Cell } from './cell.js';
import { counting, gateStatus, whyShut } from './gates.js';
import type { Command } from './inputs.js';

/** Steps that fail together are told together. */
export const GATHER_MS = 5000;
/** What comes to be held after a message waits so long for the next one: a bad night makes some messages, not hundreds. */
export const APART_MS = 60_000;
/** The rest is counted. */
const MOST_TOLD = 20;
const LONGEST_TEXT = 500;

/** What people were told of one step that waits for them. */
export interface Told {
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
export function dueAtMs(sinceMs: number, told: Told | null, lastMs: number | null, times: RemindTimes): number {
  if (told === null || told.sinceMs !== sinceMs) return Math.max(sinceMs + GATHER_MS, (lastMs ?? -Infinity) + APART_MS);
  return told.atMs + (told.times === 1 ? times.afterMs : times.everyMs);
}

/** Tells people of what waits for their word, once at first and then at set times until somebody answers. */
export class Reminders {
  /** By number of the step. Plain data. */
  #told: Record<number, Told> = {};
  #lastMs: number | null = null;
  #count = 0;

  /** @param times null: nobody is told of this run */
  constructor(
    private readonly board: Board,
    private readonly times: RemindTimes | null,
  ) {}

  /** All there is to know besides the board: travels with a run. */
  get state(): RemindersState {
    return { told: { ...this.#told }, lastMs: this.#lastMs, count: this.#count };
  }

  restore({ told, lastMs, count }: RemindersState): void {
    this.#told = { ...told };
    this.#lastMs = lastMs;
    this.#count = count;
  }

  /** The next time at which somebody is to be told something; null: never. */
  nextMs(): number | null {
    const due = this.#waiting().map(({ dueMs }) => dueMs);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** At most one message: all that is due, and what is new besides. */
  tell(): readonly Command[] {
    const { nowMs } = this.board;
    const waiting = this.#waiting();
    this.#forgetAllBut(waiting);
    if (!waiting.some(({ dueMs }) => dueMs <= nowMs)) return [];
    const news = waiting.filter(({ dueMs, times }) => dueMs <= nowMs || times === 0);
    for (const { step, sinceMs, times } of news) this.#told[step] = { sinceMs, atMs: nowMs, times: times + 1 };
    this.#lastMs = nowMs;
    const notices = news.slice(0, MOST_TOLD).map((one) => this.#notice(one));
    return [{ do: 'tell', no: ++this.#count, notices, more: news.length - notices.length }];
  }

  /** Everything that waits for people now. */
  #waiting(): readonly Waiting[] {
    const { times } = this;
    if (times === null) return [];
    return this.board.cells.flatMap((cell, step) => {
      if (!this.#waitsForPeople(step, cell)) return [];
      const sinceMs = cell.heldAtMs!;
      const known = this.#told[step];
      const told = known?.sinceMs === sinceMs ? known : null;
      return [{ step, sinceMs, times: told?.times ?? 0, dueMs: dueAtMs(sinceMs, told, this.#lastMs, times) }];
    });
  }

  /** A gate that only lets time pass, or has its approvals, waits for nobody. */
  #waitsForPeople(step: number, { state, gate }: Cell): boolean {
    if (state === 'held') return true;
    const { gate: rules } = this.board.steps[step]!;
    if (state !== 'at gate' || rules === undefined || gate === undefined) return false;
    return counting(gate, this.board.nowMs).length < rules.quorum;
  }

  #notice({ step, sinceMs, times }: Waiting): Notice {
    const { id, gate: rules } = this.board.steps[step]!;
    const { state, gate, problems, because } = this.board.cells[step]!;
    const event = (first: 'held' | 'gate') => (times > 0 ? 'reminder' : first);
    if (state === 'at gate') {
      const status = gateStatus(rules!, gate!, this.board.nowMs);
      const { manifest, next } = status;
      return { event: event('gate'), step: id, sinceMs, because: cut(whyShut(status)), next, manifest };
    }
    const first = problems?.[0];
    return {
      ...{ event: event('held'), step: id, sinceMs },
      ...(first !== undefined && { code: first.code }),
      because: cut(because ?? first?.message ?? 'no reason known'),
      next: `slipway retry ${id}, or slipway skip ${id} --reason '…'`,
    };
  }

  /** What was answered is no longer known: the same step may be held again. */
  #forgetAllBut(waiting: readonly Waiting[]): void {
    const kept = waiting.flatMap(({ step }) => (this.#told[step] === undefined ? [] : [[step, this.#told[step]]]));
    this.#told = Object.fromEntries(kept) as Record<number, Told>;
  }
}

export interface RemindersState {
  readonly told: Readonly<Record<number, Told>>;
  readonly lastMs: number | null;
  readonly count: number;
}

interface Waiting {
  readonly step: number;
  readonly sinceMs: number;
  /** Messages about this wait so far. */
  readonly times: number;
  readonly dueMs: number;
}

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text);
