import { some } from '../../../importers/file-problem.js';
import { toleratedAs } from '../../../importers/tried.js';
import { LEFT_OUT, type Row } from '../../../model/rows.js';
import type { LeftOut } from './chosen.js';
import type { Jobs } from './jobs.js';
import { type Judged, type Judgements, subjectOf } from './judged.js';
import { type Lock, type LockedSpec, usersOf } from './lock.js';

/** Rows for `slipway why`, one for each spec of a lock.
 * @param names of entries by hash
 * @param judged what failures decide
 * @param left specs of the lock that neither groups nor mappings choose
 * @param jobs by hash. Absent: all have the queue of the entry */
export function rowsOf(
  lock: Lock,
  names: ReadonlyMap<string, string>,
  judged: Judgements,
  left: LeftOut,
  jobs?: Jobs,
): readonly Row[] {
  const users = usersOf(lock.specs);
  const roots = new Set(lock.roots.map(({ hash }) => hash));
  const rows = [...lock.specs.values()].map((spec) => ({
    ...{ subject: subjectOf(spec), origin: spec.place },
    ...judgedAs(
      verdictOf(spec, roots.has(spec.hash), users.get(spec.hash)!, jobs?.get(spec.hash)?.because ?? null),
      judged.get(spec.hash),
    ),
    ...(jobs?.get(spec.hash)?.trail.length && { trail: jobs.get(spec.hash)!.trail }),
    ...(names.has(spec.hash) && { entry: `specs/${names.get(spec.hash)}` }),
  }));
  const others = left.map(({ spec, because }) => ({
    ...{ subject: subjectOf(spec), origin: spec.place, verdict: LEFT_OUT, reason: because },
  }));
  return [...rows, ...others];
}

function judgedAs(built: Pick<Row, 'verdict' | 'reason'>, one: Judged | undefined): typeof built {
  if (one === undefined) return built;
  if (one.verdict !== 'build') return { verdict: one.verdict, reason: one.because };
  return { ...built, reason: `${built.reason}; ${toleratedAs(one.known)}` };
}

function verdictOf(spec: LockedSpec, isRoot: boolean, users: readonly LockedSpec[], because: string | null) {
  const { external, phase } = spec;
  if (external !== null) return { verdict: 'external', reason: `the lock takes it from ${external}` };
  const reasons = [
    isRoot && 'it is a root',
    users.length > 0 && `needed by ${some(users.map(({ name }) => name))}`,
    phase !== null && `phase ${phase}`,
    because,
  ];
  return { verdict: 'build', reason: reasons.filter(Boolean).join('; ') || 'the lock has it' };
}
