import { condition, defineQuery, defineSignal, defineUpdate, setHandler, workflowInfo } from '@temporalio/workflow';
import type { BisectAnswer, BisectInput, BisectSpan, BisectStatus, Tried } from '../model/bisect.js';
import type { TryEnd } from '../engine/bisect/try-of.js';
import type { Tries } from '../engine/bisect/decide.js';
import { readAction, SEND, whyOf, type Action, type ActionAnswer } from '../model/actions.js';
import type { Problem } from '../model/failure.js';
import { CANCEL_SIGNAL, STATUS_QUERY } from '../model/messages.js';
import { notForABisect } from './errors.js';
import { guarded } from './fatal-errors.js';

const statusQuery = defineQuery<BisectStatus>(STATUS_QUERY);
const sendUpdate = defineUpdate<ActionAnswer, [unknown]>(SEND);
const cancelSignal = defineSignal<[unknown]>(CANCEL_SIGNAL);

/** A bisect as its query, signal and Update see it. Created before the first await, so no message is lost. */
export class Bisection {
  #commits: readonly string[] = [];
  readonly #tried = new Map<number, Tried>();
  #answer: BisectAnswer | null = null;
  #paused: string | null = null;
  #why: string | null = null;

  constructor(private readonly input: BisectInput) {
    setHandler(statusQuery, () => this.status(), { description: 'Commits that were tried, and the answer' });
    setHandler(sendUpdate, (payload) => this.#hear(payload), {
      description: '{"action": "pause" | "resume", "reason": "…"}',
    });
    setHandler(
      cancelSignal,
      guarded((payload) => {
        const read = readAction('cancel', payload);
        this.#why = 'action' in read ? whyOf(read) : 'cancelled';
      }),
    );
  }

  /** @param span what planning found */
  begin({ commits }: BisectSpan): void {
    this.#commits = commits;
  }

  get tries(): Tries {
    return new Map([...this.#tried].map(([commit, { tries }]) => [commit, tries]));
  }

  /** Resolves at once unless the bisect is paused. */
  async mayGoOn(): Promise<void> {
    if (this.#paused !== null) await condition(() => this.#paused === null);
  }

  /** Notes the start of a try. Returns its number among those of the commit, from 1. */
  start(commit: number): number {
    const now = this.#tried.get(commit) ?? { commit, tries: [], running: 0 };
    this.#tried.set(commit, { ...now, running: now.running + 1 });
    return now.tries.length + now.running + 1;
  }

  note(commit: number, { end, because }: TryEnd): void {
    const now = this.#tried.get(commit)!;
    const told = because === undefined ? {} : { because };
    this.#tried.set(commit, { ...now, tries: [...now.tries, end], running: now.running - 1, ...told });
  }

  end(answer: BisectAnswer): BisectStatus {
    this.#answer = answer;
    return this.status();
  }

  status(): BisectStatus {
    const state = this.#commits.length === 0 ? 'planning' : this.#paused === null ? 'trying' : 'paused';
    const why = this.#paused ?? this.#why;
    return {
      test: String((this.input as BisectInput | undefined)?.test ?? workflowInfo().workflowId),
      state: this.#answer === null ? state : 'ended',
      commits: this.#commits,
      tried: [...this.#tried.values()].sort((a, b) => a.commit - b.commit),
      ...(this.#answer !== null && { answer: this.#answer }),
      ...(why !== null && { why }),
    };
  }

  #hear(payload: unknown): ActionAnswer {
    const read: Action | Problem = readAction(SEND, payload);
    if (!('action' in read)) return { ok: false, problem: read };
    if (read.action === 'pause') {
      this.#paused = whyOf(read);
      return { ok: true, did: 'paused: no further try starts; tries under way go on', steps: [] };
    }
    if (read.action === 'resume') {
      this.#paused = null;
      return { ok: true, did: 'goes on', steps: [] };
    }
    return { ok: false, problem: notForABisect(read.action) };
  }
}
