import { SlipwayFailure } from '../../model/failure.js';

const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;
/** Shorter than Temporal lets one attempt of planning take. */
const LIMIT_MS = 9 * 60_000;

export interface Waiting {
  /** Tells people why it waits. Null: it goes on. */
  readonly waits: (because: string | null) => void;
  readonly pause: (ms: number) => Promise<void>;
}

/** Plans again while a service that planning asks is down: an index, another repository. Throws its last failure after nine minutes. */
export async function patiently<T>(plan: () => Promise<T>, { waits, pause }: Waiting): Promise<T> {
  let waitedMs = 0;
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_MS)) {
    try {
      return await plan();
    } catch (error) {
      const outage = outageOf(error);
      if (outage === null || waitedMs + waitMs > LIMIT_MS) throw error;
      waits(outage);
    }
    await pause(waitMs);
    waits(null);
    waitedMs += waitMs;
  }
}

/** True if a planning process was ended from outside. Another attempt soon may succeed. */
export const isKilled = (error: unknown): boolean =>
  error instanceof SlipwayFailure && error.problems.every(({ code }) => code === 'PLANNING_KILLED');

/** Returns the message about the service that is down. Null if any problem has another cause: planning again would not help. */
export function outageOf(error: unknown): string | null {
  if (!(error instanceof SlipwayFailure)) return null;
  const isOutage = error.problems.every((one) => one.class === 'infra' && one.service !== undefined);
  return isOutage ? error.problems[0]!.message : null;
}
