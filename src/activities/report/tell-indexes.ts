import { setTimeout as wait } from 'node:timers/promises';
import type { Plan } from '../../model/plan.js';
import type { IndexWriter } from '../index/ports.js';
import type { EndedRuns } from './keep-status.js';

/** A run ends whether or not its status page is drawn. The next run draws it too. */
const LONGEST_WAIT_MS = 10_000;

interface Around {
  readonly writer: IndexWriter;
  /** Resolves `service:NAME`. */
  readonly address: (text: string) => string;
}

/** Has the writers of a plan's indexes store what its lists wanted, and draw the status. */
export const createTellIndexes =
  ({ writer, address }: Around): EndedRuns =>
  async (plan, status) => {
    const { plan: digest, run } = status;
    if (plan.imports?.rows === undefined || digest === null) return;
    const asked = publishersOf(plan).map(async ({ to, step }) =>
      writer.list(address(to), { plan: digest, step, run, names: [], ended: true }),
    );
    const stopped = new AbortController();
    await Promise.race([Promise.allSettled(asked), wait(LONGEST_WAIT_MS, null, { signal: stopped.signal })]);
    stopped.abort();
  };

/** One publish step of each index. */
function publishersOf({ steps }: Plan): readonly { readonly to: string; readonly step: string }[] {
  const found = new Map<string, { readonly to: string; readonly step: string }>();
  for (const one of steps)
    if (one.kind === 'publishArtifacts' && one.params.target.kind === 'simple') {
      const { name, address } = one.params.target;
      if (!found.has(name)) found.set(name, { to: address, step: one.id });
    }
  return [...found.values()];
}
