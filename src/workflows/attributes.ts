import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RunState } from '../model/messages.js';

/** Writes the search attributes of the run when they change. An attribute that the server does not know would fail the workflow
 * task for ever, so `makePlan` and the start of each worker check that all are registered. */
export class Attributes {
  #told = '';

  constructor(private readonly name: string) {}

  /** @param held steps that wait for an action */
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
