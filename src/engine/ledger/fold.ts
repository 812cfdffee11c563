import { order } from '../../model/order.js';
import type { Digest } from '../../model/digest.js';
import type { RunId, StepId } from '../../model/ids.js';
import { profileOf, type LedgerEntry, type LedgerState } from './entry.js';

export interface LedgerMark {
  readonly run: RunId;
  readonly step: StepId;
  /** ISO 8601. */
  readonly at: string;
}

/** State of one name with one set of bytes.
 * `done`: read back with these bytes.
 * `there`: seen with these bytes, but the run that wanted them ended before `done`.
 * `asked`: an upload was about to start, without a later record. Only the target knows its outcome.
 * `refused`: wanted, while the target has other bytes.
 * `theirs`: the target has them, and we never wanted them. */
export type LedgerVerb = 'done' | 'there' | 'asked' | 'refused' | 'theirs';

export interface LedgerRow {
  readonly profile: string;
  readonly target: string;
  /** Name of the release. */
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly digest: Digest;
  readonly url: string;
  readonly verb: LedgerVerb;
  readonly wanted: LedgerMark | null;
  readonly observed: LedgerMark | null;
  readonly done: LedgerMark | null;
}

export interface LedgerLine {
  readonly record: string;
  readonly entry: LedgerEntry;
}

type Lines = Partial<Record<LedgerState, LedgerLine>>;

/** Returns one row for each target, name and bytes, whatever the order of the lines. */
export function foldLedger(lines: readonly LedgerLine[]): readonly LedgerRow[] {
  const files = new Map<string, Map<Digest, Lines>>();
  for (const line of lines) {
    const { target, name, digest, state } = line.entry;
    const file = JSON.stringify([profileOf(line.record), target, name]);
    const byDigest = files.get(file) ?? new Map<Digest, Lines>();
    byDigest.set(digest, { ...byDigest.get(digest), [state]: line });
    files.set(file, byDigest);
  }
  return [...files.values()].flatMap(rowsOf).sort(inOrder);
}

function rowsOf(byDigest: ReadonlyMap<Digest, Lines>): readonly LedgerRow[] {
  const held = [...byDigest].flatMap(([digest, { observed, done }]) => ((observed ?? done) ? [digest] : []));
  return [...byDigest].map(([digest, lines]) => rowOf(digest, lines, held));
}

function rowOf(digest: Digest, lines: Lines, held: readonly Digest[]): LedgerRow {
  const { wanted, observed, done } = lines;
  const { record, entry } = (wanted ?? done ?? observed)!;
  return {
    profile: profileOf(record),
    target: entry.target,
    name: entry.release.name,
    version: entry.release.version,
    file: entry.name,
    digest,
    url: (done ?? wanted ?? observed)!.entry.url,
    verb: verbOf(lines, digest, held),
    wanted: markOf(wanted),
    observed: markOf(observed),
    done: markOf(done),
  };
}

function verbOf({ wanted, observed, done }: Lines, digest: Digest, held: readonly Digest[]): LedgerVerb {
  if (done) return 'done';
  if (!wanted) return 'theirs';
  if (observed) return 'there';
  return held.some((other) => other !== digest) ? 'refused' : 'asked';
}

const markOf = (line: LedgerLine | undefined): LedgerMark | null =>
  line === undefined ? null : { run: line.entry.run, step: line.entry.step, at: line.entry.at };

const inOrder = (a: LedgerRow, b: LedgerRow): number =>
  order(a.profile, b.profile) || order(a.target, b.target) || order(a.file, b.file) || order(a.digest, b.digest);
