import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RunState } from '../model/messages.js';

/** Search attributes of the run, written when they change. One that the server does not know would make the task fail for
 * ever: makePlan, which comes first, and the workers' start check that they are registered. */
export class Attributes {
  #told = '';

  constructor(private readonly name: string) {}

  /** @param held steps that wait for a word */
  tell(state: RunState, held: number): void {
    const now = `${state} ${held}`;
    if (now === this.#told) return;
    this.#told = now;
    upsertSearchAttributes([
      { key: { name: 'SlipwayRelease', type: 'KEYWORD' }, value: this.name },
      { key: { name: 'SlipwayState', type: 'KEYWORD' }, value: state },
      { key: { name: 'SlipwayHeld', type: 'INT' }, value: held },
    ]);
  }
}
