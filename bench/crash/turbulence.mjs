import { setTimeout as pause } from 'node:timers/promises';
import { randomOf } from '../../tools/random.cjs';

const ASKED_APART_MS = 40;
/** A machine that is too slow to replay the run within a workflow task never ends it while signals keep coming. */
const MOST_ASKED = 600;

/** Disturbs a run without killing anything: stops the workflow worker and lets it go on, asks queries, sends signals and updates. */
export class Turbulence {
  #told = { pauses: 0, queries: 0, updates: 0 };
  #over = false;
  #under = [];

  constructor(ground, { pauses, asks, seed }) {
    Object.assign(this, { ground, pauses, asks, random: randomOf(seed) });
  }

  begin(workflowId) {
    if (this.pauses > 0) this.#under.push(this.#pause());
    if (this.asks) this.#under.push(this.#ask(workflowId));
  }

  /** Returns how often it disturbed. Never rejects: a question that fails is a part of the play. */
  async end() {
    this.#over = true;
    await Promise.all(this.#under);
    return { ...this.#told };
  }

  /** Half of the stops outlast the 200 ms after which the server gives up a worker's sticky queue; some outlast a workflow task. */
  async #pause() {
    while (!this.#over && this.#told.pauses < this.pauses) {
      await pause(50 + 400 * this.random());
      const goOn = this.ground.stop('workflows');
      if (goOn === null) continue;
      this.#told.pauses++;
      await pause(this.random() < 0.2 ? 1500 : 400 * this.random());
      goOn();
    }
  }

  async #ask(workflowId) {
    const under = [];
    await this.ground.ask(async (client) => {
      const handle = client.workflow.getHandle(workflowId);
      for (let n = 0; n < MOST_ASKED && !this.#over; n++) {
        under.push(handle.query('status').then(() => this.#told.queries++, ignored));
        if (n % 10 === 3) under.push(handle.signal('note', { reason: `signal ${n}` }).catch(ignored));
        if (n % 10 === 7)
          under.push(
            handle
              .executeUpdate('note', { args: [{ reason: `update ${n}` }] })
              .then(() => this.#told.updates++, ignored),
          );
        await pause(ASKED_APART_MS);
      }
      await Promise.all(under);
    });
  }
}

const ignored = () => undefined;
