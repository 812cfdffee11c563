import { expectations, expecting, slowest } from '../engine/forecast/durations.js';
import { forecast, type Forecast } from '../engine/forecast/forecast.js';
import type { Digest } from '../model/digest.js';
import type { RunStatus } from '../model/messages.js';
import type { Skeleton } from '../model/plan.js';
import { skeletonOf } from '../plan/skeleton.js';
import type { Ports } from './ports.js';
import { goesOn } from './render/outlook.js';
import { storedPlan } from './stored-plan.js';

/** Between two looks at a run of which nothing new was told, in milliseconds. */
const LOOK_AGAIN_MS = 1000;

/** When an open run will be done. What it knows of the plan and of earlier runs it reads once, beside whoever waits; a store that
 * is away costs a forecast and nothing else. */
export class RunForecaster {
  #skeleton: Skeleton | null = null;
  #slowMs: readonly (number | undefined)[] = [];
  #loading: Promise<void> | null = null;
  #last: { readonly status: RunStatus; readonly atMs: number; readonly found: Forecast } | null = null;

  constructor(private readonly ports: Ports) {}

  /** Reads what is needed for a run. */
  async ready({ plan }: RunStatus): Promise<void> {
    if (plan === null) return;
    await (this.#loading ??= this.#load(plan));
  }

  /** Null while nothing is known, and where nothing lies ahead. */
  look(status: RunStatus, nowMs: number): Forecast | null {
    if (!goesOn(status)) return null;
    if (this.#skeleton === null) return (void this.ready(status), null);
    if (this.#last?.status === status && nowMs - this.#last.atMs < LOOK_AGAIN_MS) return this.#last.found;
    const { windows } = this.#skeleton;
    // Steps beyond the slots of a queue do not run yet.
    const fleet = { ...this.#skeleton, windows: { ...windows, ...status.slots } };
    const found = forecast(fleet, status.steps, status.startedAt, nowMs, this.#slowMs);
    this.#last = { status, atMs: nowMs, found };
    return found;
  }

  async #load(digest: Digest): Promise<void> {
    try {
      const plan = await storedPlan(digest, this.ports);
      if (plan === null) return;
      const { name } = plan.release;
      const expect = expectations(await this.ports.durations(name), name);
      const bare = skeletonOf(plan, digest, await this.ports.queues());
      this.#slowMs = slowest(bare, expect);
      this.#skeleton = expecting(bare, expect);
    } catch {
      // The run is told all the same, without a forecast.
    }
  }
}
