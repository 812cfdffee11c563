import type { SourceLocation } from './failure.js';
import { tally } from './grouped.js';
import type { StepId } from './ids.js';

/** One thing that an import judged: a test, a pin on a target. */
export interface Row {
  /** As people name it: `many_tasks.aws`, `lxml==5.3.0 debian-12 cp311`. */
  readonly subject: string;
  /** A word of the importer's own list: `taken`, `left out`, `build`, `upstream`. */
  readonly verdict: string;
  /** The rule that applied, in a few words, if people count by it: `the frequency nightly`. */
  readonly rule?: string;
  /** The cause, lower-case and without a full stop: `its frequency is weekly, and nightly is wanted`. */
  readonly reason: string;
  /** Place of what was judged. Null if no file has it. */
  readonly origin: SourceLocation | null;
  /** Rules of a file that apply to it, in their order: `tags`, `sets`, `spack, small`. */
  readonly trail?: readonly Readonly<Record<'key' | 'words' | 'value', string> & { place: SourceLocation }>[];
  /** Entry that it is, or would be: `wheels/lxml-5.3.0`. */
  readonly entry?: StepId;
}

/** Rows by the entry that imports: `tests/nightly`. They are one document in the store, because a run's history has no room for
 * thousands of rows. The plan has the digest of the document and the counts. */
export interface Rows {
  readonly slipway: 1;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
}

/** Verdict of a release test that becomes an entry. */
export const TAKEN = 'taken';

/** Verdict of what becomes no entry. */
export const LEFT_OUT = 'left out';

/** Counts rows by verdict and rule: `left out by the frequency nightly`. */
export function countsOf(rows: readonly Row[]): Readonly<Record<string, number>> {
  const keys = rows.map(({ verdict, rule }) => (rule === undefined ? verdict : `${verdict} by ${rule}`));
  return Object.fromEntries([...tally(keys)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
