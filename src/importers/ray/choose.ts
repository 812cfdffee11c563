import type { Problem, SourceLocation } from '../../model/failure.js';
import type { ChosenTests } from '../../model/plan.js';
import type { At } from '../importer.js';
import { asked } from './asked-errors.js';
import { DROP, type RayImport } from './asked.js';
import { FREQUENCIES } from './shape.js';
import { type Form, type RayTest, textIn } from './test.js';
import { filtersOf, matches } from './where.js';

/** A test that becomes a step, in the form in which it runs. */
export interface Chosen {
  readonly test: RayTest;
  readonly form: Form;
  readonly isSmoke: boolean;
}

export interface Choice {
  readonly chosen: readonly Chosen[];
  /** Tests that are not chosen, by reason. */
  readonly passedOver: Readonly<Record<string, number>>;
}

const ANY = ['any', 'any-smoke'];

/** Chooses tests as upstream does: by environment, filters, stability and frequency. The command's choice replaces the file's. */
export function choose(
  tests: readonly RayTest[],
  { where = {}, clusters }: Pick<RayImport, 'where' | 'clusters'>,
  given: ChosenTests,
  at: At,
  complain: (problem: Problem) => void,
): Choice {
  const frequency = given.frequency ?? where.frequency ?? 'any';
  const place = (...path: (string | number)[]): SourceLocation | undefined => at(['where', ...path]);
  if (![...FREQUENCIES, ...ANY].includes(frequency))
    complain(
      asked.unknownFrequency(given.frequency ? undefined : place('frequency'), frequency, [...FREQUENCIES, ...ANY]),
    );
  const filters = filtersOf(
    given.where ?? where.match ?? [],
    (index) => (given.where ? undefined : place('match', index)),
    complain,
  );
  const prefersSmoke = given.smoke ?? where.smoke ?? frequency === 'any-smoke';
  const counts = new Map<string, number>();
  const chosen = tests.flatMap((test): Chosen[] => {
    const form = formAt(test, frequency, prefersSmoke);
    const { environment, keys } = test.full;
    const because =
      clusters[environment] === DROP
        ? `clusters.${environment}: ${DROP}`
        : !matches(filters, keys)
          ? 'the filters'
          : where.unstable === 'skip' && keys['stable'] === false
            ? 'where.unstable: skip'
            : form === null
              ? `the frequency ${frequency}`
              : null;
    if (because !== null) counts.set(because, (counts.get(because) ?? 0) + 1);
    return because !== null || form === null ? [] : [{ test, form, isSmoke: form === test.smoke }];
  });
  return { chosen, passedOver: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** The form in which a test runs at a frequency. Null: it does not run. A smoke test has a frequency of its own. */
function formAt({ full, smoke }: RayTest, frequency: string, prefersSmoke: boolean): Form | null {
  const runs = (form: Form | null): boolean => form !== null && textIn(form.keys, 'frequency') === frequency;
  if (ANY.includes(frequency) || runs(full)) return prefersSmoke ? (smoke ?? full) : full;
  return runs(smoke) ? smoke : null;
}
