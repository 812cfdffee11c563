import { KINDS } from '../model/kinds.js';
import type { Plan } from '../model/plan.js';
import { remembersFailures } from '../model/schema/entry-forms.js';

/** Returns why a plan of imported builds has nothing to do, with the verdicts about them. Null if it has something to do. */
export function nothingToDo({ imports, steps, dropped }: Plan): string | null {
  const isOfBuilds =
    imports !== undefined && imports.of.length > 0 && imports.of.every(({ from }) => remembersFailures(from));
  if (!isOfBuilds || dropped.length > 0 || steps.some(({ kind }) => KINDS[kind].idle === 'never')) return null;
  const counts = new Map<string, number>();
  for (const one of imports!.of)
    for (const [verdict, count] of Object.entries(one.counts)) counts.set(verdict, (counts.get(verdict) ?? 0) + count);
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
}
