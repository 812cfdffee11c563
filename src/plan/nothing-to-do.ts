import { KINDS } from '../model/kinds.js';
import type { Plan } from '../model/plan.js';
import { remembersFailures } from '../model/schema/entry-forms.js';
import { UNCHANGED } from './changed/unchanged.js';

/** Returns why a plan has nothing to do: of imported builds, with the verdicts about them; of entries that no change touches. Null if
 * it has something to do. */
export function nothingToDo({ imports, steps, dropped, given, assumed = [] }: Plan): string | null {
  if (
    given?.since !== undefined &&
    assumed.length > 0 &&
    dropped.length === 0 &&
    isIdle(steps.filter(({ kind }) => kind !== 'fetchSource'))
  )
    return assumed.every(({ because }) => because.startsWith(UNCHANGED))
      ? `${UNCHANGED}${given.since} touches an entry`
      : 'all entries are left out';
  const isOfBuilds =
    imports !== undefined && imports.of.length > 0 && imports.of.every(({ from }) => remembersFailures(from));
  if (!isOfBuilds || dropped.length > 0 || !isIdle(steps)) return null;
  const counts = new Map<string, number>();
  for (const one of imports!.of)
    for (const [verdict, count] of Object.entries(one.counts)) counts.set(verdict, (counts.get(verdict) ?? 0) + count);
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
}

const isIdle = (steps: Plan['steps']): boolean => steps.every(({ kind }) => KINDS[kind].idle !== 'never');
