import { toleratedAs } from '../../../importers/tried.js';
import type { Row } from '../../../model/rows.js';
import { type Judged, type Judgements, subjectOf } from './judged.js';
import type { Lock, LockedSpec } from './lock.js';
import type { ChosenQueue } from './queues.js';

/** Rows for `slipway why`, one for each spec of a lock.
 * @param names of entries by hash
 * @param judged what is not built, and why
 * @param queues by hash. Absent: all have the queue of the entry */
export function rowsOf(
  lock: Lock,
  names: ReadonlyMap<string, string>,
  judged: Judgements,
  queues?: ReadonlyMap<string, ChosenQueue>,
): readonly Row[] {
  const users = new Map<string, string[]>();
  for (const { name, dependencies } of lock.specs.values())
    for (const hash of new Set(dependencies)) users.set(hash, [...(users.get(hash) ?? []), name]);
  const roots = new Set(lock.roots.map(({ hash }) => hash));
  return [...lock.specs.values()].map((spec) => ({
    subject: subjectOf(spec),
    ...judgedAs(
      verdictOf(spec, roots.has(spec.hash), users.get(spec.hash) ?? [], queues?.get(spec.hash)),
      judged.get(spec.hash),
    ),
    origin: spec.place,
    ...(names.has(spec.hash) && { entry: `specs/${names.get(spec.hash)}` }),
  }));
}

function judgedAs(built: Pick<Row, 'verdict' | 'reason'>, one: Judged | undefined): typeof built {
  if (one === undefined) return built;
  if (one.verdict !== 'build') return { verdict: one.verdict, reason: one.because };
  return { ...built, reason: `${built.reason}; ${toleratedAs(one.known)}` };
}

const MOST_USERS = 5;

function verdictOf({ external }: LockedSpec, isRoot: boolean, users: readonly string[], queue?: ChosenQueue) {
  if (external !== null) return { verdict: 'external', reason: `the lock takes it from ${external}` };
  const more = users.length > MOST_USERS ? ` and ${users.length - MOST_USERS} more` : '';
  const needed = users.length === 0 ? [] : [`needed by ${users.slice(0, MOST_USERS).join(', ')}${more}`];
  const taken = queue === undefined ? [] : [`${queue.on} by ${queue.because}`];
  return {
    verdict: 'build',
    reason: [...(isRoot ? ['it is a root'] : []), ...needed, ...taken].join('; ') || 'the lock has it',
  };
}
