import { expectations, expecting, slowest } from '../engine/forecast/durations.js';
import { waitsIn } from '../engine/outages/sentences.js';
import { forecast, type Forecast } from '../engine/forecast/forecast.js';
import type { Digest } from '../model/digest.js';
import type { RunStatus } from '../model/messages.js';
import type { Skeleton } from '../model/plan.js';
import type { Ports } from './ports.js';
import { goesOn } from './render/outlook.js';
import { storedPlan } from './stored-plan.js';

/** Time for which a forecast of an unchanged status is reused, in milliseconds. */
const LOOK_AGAIN_MS = 1000;

/** Forecasts the end of an open run. Reads the plan and the durations of earlier runs once, in the background. Without a store it
 * returns no forecast, and never throws. */
export class RunForecaster {
  #skeleton: Skeleton | null = null;
  #slowMs: readonly (number | undefined)[] = [];
  #loading: Promise<void> | null = null;
  #last: { readonly status: RunStatus; readonly atMs: number; readonly found: Forecast } | null = null;

  constructor(private readonly ports: Ports) {}

  /** Resolves once the plan and the durations are read, or cannot be read. */
  async ready({ plan }: RunStatus): Promise<void> {
    if (plan === null) return;
    await (this.#loading ??= this.#load(plan));
  }

  /** Returns the forecast. Null while the plan is not read, and if no step is ahead.
   * @param nowMs milliseconds since 1970 */
  look(status: RunStatus, nowMs: number): Forecast | null {
    if (!goesOn(status)) return null;
    if (this.#skeleton === null) return (void this.ready(status), null);
    if (this.#last?.status === status && nowMs - this.#last.atMs < LOOK_AGAIN_MS) return this.#last.found;
    const { windows } = this.#skeleton;
    // Steps beyond the slots of a queue do not run yet.
    const fleet = { ...this.#skeleton, windows: { ...windows, ...status.slots } };
    const found = forecast(fleet, status.steps, status.startedAt, nowMs, this.#slowMs, waitsIn(status));
    this.#last = { status, atMs: nowMs, found };
    return found;
  }

  async #load(digest: Digest): Promise<void> {
    try {
      const plan = await storedPlan(digest, this.ports);
      if (plan === null) return;
      const { name } = plan.release;
      const expect = expectations(await this.ports.durations(name), name);
      const { skeletonOf } = await import('../plan/skeleton.js'); // it loads schemas of features
      const bare = skeletonOf(plan, digest, await this.ports.queues());
      this.#slowMs = slowest(bare, expect);
      this.#skeleton = expecting(bare, expect);
    } catch {
      // The run is shown without a forecast.
    }
  }
}
