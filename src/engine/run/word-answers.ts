import type { Problem } from '../../model/failure.js';
import type { GateWord, Opening, Vetted } from '../../model/gate.js';
import type { StepId } from '../../model/ids.js';
import type { RerunPreview, StepWord, WordAnswer } from '../../model/words.js';
import type { UnservedQueues } from '../outages/unserved-queues.js';
import type { RunGraph } from './run-graph.js';
import type { Cancelling } from './cancelling.js';
import type { Conflicts } from './conflicts.js';
import type { AttemptResults } from './attempt-results.js';
import { runIsCancelling, stepLookedUp } from './errors.js';
import type { GatePolicy } from '../gates/gate-policy.js';
import type { CacheLookup } from '../cache/cache-lookup.js';
import type { Outages } from '../outages/outages.js';
import { previewRerun } from './rerun.js';
import { say } from './step-words.js';

/** The parts of a run that a word may be about. */
export interface WordHost {
  readonly unservedQueues: UnservedQueues;
  readonly cancelling: Cancelling;
  readonly conflicts: Conflicts;
  readonly attemptResults: AttemptResults;
  readonly gates: GatePolicy;
  readonly cacheLookup: CacheLookup;
  readonly outages: Outages;
  abort(step: number): void;
  pause(why: string | null): void;
}

/** Answers the words of operators. */
export class WordAnswers {
  constructor(
    private readonly graph: RunGraph,
    private readonly to: WordHost,
  ) {}

  /** Returns what `retry --from` would do. */
  previewRerun(step: StepId): RerunPreview {
    const problem = this.#isOver('retry');
    return problem ? { ok: false, problem } : previewRerun(step, this.graph);
  }

  /** Returns what is wrong with a word at a gate. Null if its signature should be verified. */
  refusal(word: GateWord): Problem | null {
    return this.#isOver(word.word) ?? this.to.gates.refusal(word);
  }

  /** Returns the opening of the gate that a word is about. Null if the gate does not wait. */
  opening(word: GateWord): Opening | null {
    return this.to.gates.opening(word);
  }

  /** @param vetted what was found out about it
   * @param nonce of the opening for which it was */
  sayAtGate(word: GateWord, vetted: Vetted, nonce: string): WordAnswer {
    const problem = this.#isOver(word.word);
    if (problem) return { ok: false, problem };
    return this.to.gates.say(word, vetted, nonce, (step, why) => this.to.attemptResults.failed(step, why));
  }

  say(word: Exclude<StepWord, GateWord>): WordAnswer {
    const problem = word.word === 'note' ? null : this.#isOver(word.word);
    if (problem && !this.#isAboutNobody(word)) return { ok: false, problem };
    if (word.word === 'skip' && this.to.cacheLookup.reach()(this.graph.steps.findIndex(({ id }) => id === word.step)))
      return { ok: false, problem: stepLookedUp(word.step) };
    const waits = this.to.outages.say(word);
    if (waits !== null) return waits;
    const answer = say(word, {
      graph: this.graph,
      abort: (step) => this.to.abort(step),
      pause: (why) => this.to.pause(why),
      cancelling: this.to.cancelling.reason !== null,
    });
    this.to.conflicts.lookAgain();
    if (answer.ok && word.word === 'retry') this.to.outages.retried(word.step ?? word.from);
    if (answer.ok && word.word === 'retry') this.to.attemptResults.retryBudget.renew();
    return answer;
  }

  /** A step that tidies up may wait for a machine that never comes again. A person may then leave it out. */
  #isAboutNobody(word: Exclude<StepWord, GateWord>): boolean {
    if (word.word !== 'skip' && word.word !== 'cancel') return false;
    const step = this.graph.steps.findIndex(({ id }) => id === word.step);
    return step >= 0 && this.to.unservedQueues.holds(step);
  }

  #isOver(word: string): Problem | null {
    const { reason } = this.to.cancelling;
    return reason === null ? null : runIsCancelling(word, reason);
  }
}
