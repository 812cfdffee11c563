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
import type { GateWord } from '../model/gate.js';
import { CONTROL, type RunId } from '../model/ids.js';
import {
  isGateWord,
  isProblem,
  readWord,
  SAY,
  whyOf,
  wordTooLong,
  type Audited,
  type StepWord,
  type Word,
  type WordAnswer,
} from '../model/words.js';
import { runHasEnded, shapeRefused } from './errors.js';
import type { Inputs } from './inputs.js';
import { guarded, fatalError } from './fatal-errors.js';
import { problemsOf } from './problems-of.js';
import { keepAudit } from './schedule.js';
import type { ApprovalChecks } from './approval-checks.js';

/** Signals and Updates with the names of the words, and `say` for any of them. `cancel` has its own signal besides. */
const NAMES = [SAY, 'retry', 'skip', 'cancel', 'pause', 'resume', 'note', 'approve', 'reject'] as const;
/** Most refusals in the status. The sender of a signal gets no answer. */
const REFUSALS_TOLD = 5;

/** Receives the words of operators and answers them. Each is a numbered input, and its answer goes to the audit. */
export class Words {
  /** The last refusals, for the status. */
  readonly refused: Problem[] = [];
  /** Words that the scheduler has not answered, by the number of their input. */
  readonly #open = new Map<number, Heard>();
  /** Words at gates whose signatures are being verified. */
  readonly #vetted = new Set<Heard>();
  readonly #answers = new Map<number, WordAnswer>();
  #count: number;
  /** Words that came before the checkpoint was loaded. Null if none has to wait. */
  #early: (() => void)[] | null;
  #waiting = 0;
  #ended = false;
  #kept: Promise<void> = Promise.resolve();
  /** Activities that write the audit, running or planned. */
  #keeping = 0;
  #fresh: Audited[] = [];
  /** Words that the store did not take. They go with the next ones, because no step runs in a round that the audit lacks. */
  #lost: Audited[] = [];

  /** @param cancelRun asks the whole run to stop */
  constructor(
    private readonly inputs: Inputs,
    private readonly cancelRun: (reason: string) => void,
    private readonly approvalChecks: ApprovalChecks,
    private readonly run: RunId,
    continued: Pick<Continued, 'words'> | undefined,
  ) {
    this.#count = continued?.words ?? 0;
    this.#early = continued === undefined ? null : [];
    for (const name of NAMES) {
      setHandler(defineUpdate<WordAnswer, [unknown]>(name), (payload) => this.#asked(name, payload), {
        description: describing(name),
        validator: (payload) => {
          const read = wordTooLong(payload) ?? readWord(name, payload);
          if (isProblem(read)) throw shapeRefused(read);
        },
      });
      setHandler(
        defineSignal<[unknown?]>(name),
        guarded((payload) => void this.#heard(name, payload)),
        {
          description: describing(name),
        },
      );
    }
    // A signal with an unknown name would be buffered for ever, and its sender would never know.
    setDefaultSignalHandler(guarded((name, payload) => void this.#heard(name, payload)));
  }

  /** Records the answer to the word that arrived as input `no`. */
  answer(input: number, answer: WordAnswer): void {
    const heard = this.#open.get(input);
    this.#open.delete(input);
    if (heard !== undefined) this.#settle(heard, answer);
  }

  /** Number of the last word. */
  get count(): number {
    return this.#count;
  }

  /** Words that the audit lacks. */
  get unaudited(): readonly Audited[] {
    return this.#lost;
  }

  /** Whether every word is answered, and the store was asked to keep each. */
  get idle(): boolean {
    return this.#open.size + this.#vetted.size + this.#keeping === 0 && allHandlersFinished();
  }

  /** Takes up what the history before left, and the words that came meanwhile. */
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

  /** Refuses all words that still wait, because the run has ended. */
  end(): void {
    this.#ended = true;
    this.#takeEarly();
    for (const heard of [...this.#open.values(), ...this.#vetted])
      this.#settle(heard, { ok: false, problem: runHasEnded() });
    this.#open.clear();
    this.#vetted.clear();
    if (this.#lost.length > 0) this.#keepNext();
  }

  /** Resolves once the audit has all words so far. */
  kept(): Promise<void> {
    return this.#kept;
  }

  /** As `kept`. Null if the audit has them already. */
  unkept(): Promise<void> | null {
    return this.#keeping > 0 ? this.#kept : null;
  }

  async #asked(name: string, payload: unknown): Promise<WordAnswer> {
    const no = this.#heard(name, payload);
    this.#waiting++;
    // A run that Temporal was asked to cancel still answers: a word that comes meanwhile has its own answer.
    await CancellationScope.nonCancellable(() => condition(() => this.#answers.has(no)));
    const answer = this.#answers.get(no)!;
    if (--this.#waiting === 0) this.#answers.clear();
    return answer;
  }

  #heard(name: string, payload: unknown): number {
    const no = ++this.#count;
    if (this.#early === null) this.#hear(no, name, payload);
    else this.#early.push(() => this.#hear(no, name, payload));
    return no;
  }

  #hear(no: number, name: string, payload: unknown): void {
    try {
      this.#take(no, name, payload);
    } catch (error) {
      // An unexpected error: one word must not end the run.
      const problem = problemsOf(error, { id: `the word ${name}`, kind: name, on: CONTROL })[0]!;
      this.#settle({ no, said: { word: name, payload: shown(payload) } }, { ok: false, problem });
    }
  }

  #take(no: number, name: string, payload: unknown): void {
    const read = readWord(name, payload);
    if (isProblem(read))
      this.#settle({ no, said: { word: name, payload: shown(payload) } }, { ok: false, problem: read });
    else if (this.#ended) this.#settle({ no, said: read }, { ok: false, problem: runHasEnded() });
    else this.#pass(read, { no, said: read });
  }

  #pass(word: Word, heard: Heard): void {
    if (isGateWord(word)) return this.#atGate(word, heard);
    if (isForScheduler(word)) {
      this.#open.set(this.inputs.push({ what: 'word', word, atMs: Date.now() }), heard);
      return;
    }
    this.cancelRun(whyOf(word));
    this.#settle(heard, { ok: true, did: 'cancelling: what runs is stopped, then what tidies up runs', steps: [] });
  }

  /** Verifies the signature before the scheduler gets the word. A word that cannot count whoever says it is refused at once. */
  #atGate(word: GateWord, heard: Heard): void {
    const problem = this.approvalChecks.refusal(word);
    if (problem !== null) return this.#settle(heard, { ok: false, problem });
    this.#vetted.add(heard);
    this.approvalChecks.add(word, heard.no, (vetted, nonce) => {
      if (!this.#vetted.delete(heard)) return; // the run ended meanwhile
      this.#open.set(this.inputs.push({ what: 'gate word', word, vetted, nonce, atMs: Date.now() }), heard);
    });
  }

  #settle({ no, said }: Heard, answer: WordAnswer): void {
    this.#answers.set(no, answer);
    if (!answer.ok) this.refused.push(answer.problem);
    this.refused.splice(0, Math.max(0, this.refused.length - REFUSALS_TOLD));
    this.#fresh.push({ no, at: Date.now(), said, answer });
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
      const words = this.#fresh.splice(0, fitting(this.#fresh));
      if (!(await CancellationScope.nonCancellable(() => keepAudit({ run: this.run, words }))))
        this.#lost.push(...words);
    }
  }
}

/** The server refuses payloads of two megabytes, and the run's task with them, for ever: stay well below. */
const MOST_CHARACTERS = 500_000;

/** Returns how many of the first words fit into one activity. At least one. */
function fitting(words: readonly Audited[]): number {
  let left = MOST_CHARACTERS;
  const over = words.findIndex((word) => (left -= JSON.stringify(word).length) < 0);
  return over < 0 ? words.length : Math.max(1, over);
}

const isForScheduler = (word: Exclude<Word, GateWord>): word is Exclude<StepWord, GateWord> =>
  word.word !== 'cancel' || word.step !== undefined;

type Heard = Pick<Audited, 'no' | 'said'>;

const describing = (name: (typeof NAMES)[number]): string =>
  `{${name === SAY ? '"word": "…", ' : ''}"step": "…", "reason": "…", "by": "…"}; retry and cancel take a step or none; approve and reject a gate and a manifest`;
const SHOWN = 200;
const shown = (payload: unknown): string => (JSON.stringify(payload) ?? '').slice(0, SHOWN);
