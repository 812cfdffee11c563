import { setTimeout as wait } from 'node:timers/promises';
import type { Finding } from '../../model/finding.js';
import type { Plan } from '../../model/plan.js';
import type { IndexWriter } from '../index/ports.js';
import { statusLate, statusUndrawn } from './errors.js';
import type { EndedRuns } from './keep-status.js';

/** A run ends whether or not its status page is drawn. The next run draws it too. */
const LONGEST_WAIT_MS = 10_000;

interface Around {
  readonly writer: IndexWriter;
  /** Resolves `service:NAME`. */
  readonly address: (text: string) => string;
  /** Default: 10 s. */
  readonly longestWaitMs?: number;
}

/** Has the writers of a plan's indexes store what its lists wanted, and draw the status. An index that refuses or is
 * late is a finding. */
export const createTellIndexes =
  ({ writer, address, longestWaitMs = LONGEST_WAIT_MS }: Around): EndedRuns =>
  async (plan, status) => {
    const { plan: digest, run } = status;
    if (plan.imports?.rows === undefined || digest === null) return [];
    const stopped = new AbortController();
    const late = wait(longestWaitMs, null, { signal: stopped.signal }).catch(() => null);
    const told = publishersOf(plan).map(async ({ name, to, step }): Promise<readonly Finding[]> => {
      const request = { plan: digest, step, run, names: [], ended: true } as const;
      const drawn = (async () => writer.list(address(to), request))().then(
        () => [],
        (error: unknown) => [statusUndrawn(name, error)],
      );
      return (await Promise.race([drawn, late])) ?? [statusLate(name, longestWaitMs)];
    });
    const findings = (await Promise.all(told)).flat();
    stopped.abort();
    return findings;
  };

interface Publisher {
  readonly name: string;
  /** Address as the plan says it. */
  readonly to: string;
  readonly step: string;
}

/** One publish step of each index. */
function publishersOf({ steps }: Plan): readonly Publisher[] {
  const found = new Map<string, Publisher>();
  for (const one of steps)
    if (one.kind === 'publishArtifacts' && one.params.target.kind === 'simple') {
      const { name, address } = one.params.target;
      if (!found.has(name)) found.set(name, { name, to: address, step: one.id });
    }
  return [...found.values()];
}
