import { isBesides } from '../../model/only.js';
import type { Complain } from '../file-problem.js';
import type { Hash } from '../../model/digest.js';
import type { SourceLocation } from '../../model/failure.js';
import { LEFT_OUT, type Row, TAKEN } from '../../model/rows.js';
import type { Setting } from '../importer.js';
import { asked } from './asked-errors.js';
import { clusterOf, DROP, type RayImport } from './asked.js';
import { entryId } from './names.js';
import { FREQUENCIES } from './shape.js';
import { type Form, type RayTest, textIn } from './test.js';
import { type Filters, filtersOf, mismatch, WHERE_ATTRIBUTES } from './where.js';

/** A test that becomes a step, in the form in which it runs. */
export interface Chosen {
  readonly test: RayTest;
  readonly form: Form;
  readonly isSmoke: boolean;
}

export interface Choice {
  readonly chosen: readonly Chosen[];
  /** One for each test. */
  readonly rows: readonly Row[];
}

const ANY = ['any', 'any-smoke'];
const EVERY = [...FREQUENCIES, ...ANY];

type Why = Pick<Row, 'rule' | 'reason'>;

/** Everything that decides which tests are chosen. */
interface Rules {
  readonly filters: Filters;
  readonly frequency: string;
  readonly prefersSmoke: boolean;
  readonly only: readonly string[];
  readonly say: RayImport;
  readonly states: Setting['states'];
  readonly hash: Hash;
}

/** Chooses tests as upstream does: by environment, filters, stability and frequency. The command's choice replaces the file's. */
export function choose(tests: readonly RayTest[], say: RayImport, setting: Setting, complain: Complain): Choice {
  const rules = rulesOf(say, setting, complain);
  const chosen: Chosen[] = [];
  const rows = tests.map((test): Row => {
    const form = formAt(test, rules);
    const entry = entryId(test.name, say, rules.hash);
    const about = { subject: test.name, origin: test.origin, entry };
    const why = whyNot(test, form, entry, rules);
    if (why !== null || form === null) return { ...about, verdict: LEFT_OUT, ...why! };
    chosen.push({ test, form, isSmoke: form === test.smoke });
    // Planning leaves it out, because --only may name tests of other imports.
    if (isBesides(rules.only, entry))
      return { ...about, verdict: LEFT_OUT, rule: '--only', reason: '--only does not name it' };
    return { ...about, verdict: TAKEN, reason: `it is ${entry}` };
  });
  return { chosen, rows };
}

function rulesOf(say: RayImport, { at, chosen: given, states, hash }: Setting, complain: Complain): Rules {
  const { where = {} } = say;
  const place = (...path: (string | number)[]): SourceLocation | undefined => at(['where', ...path]);
  const frequency = given.frequency ?? where.frequency ?? 'any';
  if (!EVERY.includes(frequency))
    complain(asked.unknownFrequency(given.frequency ? undefined : place('frequency'), frequency, EVERY));
  const placeOfFilter = (index: number): SourceLocation | undefined =>
    given.where ? undefined : place('match', index);
  const filters = filtersOf(given.where ?? where.match ?? [], placeOfFilter, complain, WHERE_ATTRIBUTES);
  if (states === null && (where.jailed !== undefined || filters.has('state')))
    complain(asked.noStandings(where.jailed === undefined ? place('match') : place('jailed')));
  const prefersSmoke = given.smoke ?? where.smoke ?? frequency === 'any-smoke';
  return { filters, frequency, prefersSmoke, only: given.only ?? [], say, states, hash };
}

/** Why a test is left out, by the first rule that applies. Null: it is taken. */
function whyNot({ full, smoke }: RayTest, form: Form | null, entry: string, rules: Rules): Why | null {
  const { filters, frequency, say, states } = rules;
  const { environment, keys } = full;
  if (clusterOf(say, environment) === DROP)
    return { rule: `clusters.${environment}: ${DROP}`, reason: `its environment is ${environment}, which is dropped` };
  const state = states?.[entry] ?? [];
  const unmet = mismatch(filters, { ...keys, state: [...state] });
  if (unmet !== null) return { rule: 'the filters', reason: unmet };
  if (say.where?.unstable === 'skip' && keys['stable'] === false)
    return { rule: 'where.unstable: skip', reason: 'its stable is false, and where.unstable is skip' };
  if (say.where?.jailed === 'skip' && state.includes('jailed'))
    return { rule: 'where.jailed: skip', reason: 'it is jailed, and where.jailed is skip' };
  if (form === null) {
    const own = [full, ...(smoke ? [smoke] : [])].map((one) => textIn(one.keys, 'frequency')).join(', its smoke test ');
    return { rule: `the frequency ${frequency}`, reason: `its frequency is ${own}, and ${frequency} is wanted` };
  }
  return null;
}

/** The form in which a test runs at a frequency. Null: it does not run. A smoke test has a frequency of its own. */
function formAt({ full, smoke }: RayTest, { frequency, prefersSmoke }: Rules): Form | null {
  const runs = (form: Form | null): boolean => form !== null && textIn(form.keys, 'frequency') === frequency;
  if (ANY.includes(frequency) || runs(full)) return prefersSmoke ? (smoke ?? full) : full;
  return runs(smoke) ? smoke : null;
}
