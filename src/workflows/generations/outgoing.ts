import type { Numbered } from '../../engine/run/inputs.js';
import type { Scheduler } from '../../engine/run/scheduler.js';
import type { StepId } from '../../model/ids.js';
import type { WordAnswer } from '../../model/words.js';
import { parts } from './parts.js';

interface Answered {
  readonly no: number;
  readonly answer: WordAnswer;
}

/** Of what the next generation begins with: all that is known of the steps travels in the same payload. What is over is sent after. */
const MOST_CHARACTERS = 150_000;

/** What happens to a run, on its way to the generation that decides: in order, and again to the next one where it was not applied. */
export class Outgoing {
  #queue: Numbered[] = [];
  /** Sent, and perhaps not applied. */
  #sent: Numbered[] = [];
  /** The generation was asked to hand over. */
  #asked = false;

  constructor(private readonly scheduler: Scheduler) {}

  add(inputs: readonly Numbered[]): void {
    this.#queue.push(...inputs.filter(({ what }) => what !== 'wake')); // the timer is that of the generation
  }

  /** Words about what ended before the generation began: it does not know those steps. */
  answeredAlone(): readonly Answered[] {
    const answered: Answered[] = [];
    this.#queue = this.#queue.filter((input) => {
      const isWord = input.what === 'word' || input.what === 'gate word';
      const answer = isWord ? this.scheduler.answers.answerAlone(input.word) : null;
      if (answer !== null) answered.push({ no: input.no, answer });
      return answer === null;
    });
    return answered;
  }

  /** What can be sent now. A step that is to run again with all behind it concerns what has ended: only the next generation,
   * which begins with that, knows it. */
  ready(): { readonly batches: readonly (readonly Numbered[])[]; readonly handOver: boolean } {
    if (this.#asked || this.#queue.length === 0) return { batches: [], handOver: false };
    const at = this.#queue.findIndex((input) => fromOf(input) !== undefined);
    const inputs = this.#queue.splice(0, at < 0 ? this.#queue.length : at);
    this.#sent.push(...inputs);
    this.#asked = at >= 0;
    return { batches: inputs.length > 0 ? parts(inputs) : [], handOver: this.#asked };
  }

  /** A generation has applied all up to this number, and applies no more. */
  applied(lastRelayed: number): void {
    this.#sent = this.#sent.filter(({ no }) => no > lastRelayed);
  }

  /** What the next generation begins with, and the step that it lets run again. */
  replayed(): { readonly inputs: readonly Numbered[]; readonly from: StepId | undefined } {
    const all = [...this.#sent, ...this.#queue];
    const at = all.findIndex((input) => fromOf(input) !== undefined);
    const end = at < 0 ? all.length : at + 1;
    const [inputs] = parts(all.slice(0, end), MOST_CHARACTERS);
    const whole = inputs!.length === end;
    this.#sent = [...inputs!];
    this.#queue = all.slice(inputs!.length);
    this.#asked = false;
    return { inputs: inputs!, from: whole && at >= 0 ? fromOf(all[at]!) : undefined };
  }
}

const fromOf = (input: Numbered): StepId | undefined =>
  input.what === 'word' && input.word.word === 'retry' ? input.word.from : undefined;
