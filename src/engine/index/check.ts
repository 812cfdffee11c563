import { short, type Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import { indexPaths, SIDECAR, STATEMENT, type IndexEntry } from '../../model/python/index-entry.js';
import { isFinding } from './read-record.js';

/** Records that a repair writes. It never writes bytes of wheels. */
export type Repair = 'sidecar' | 'entry' | 'pages';

/** A defect of an index. A finding of level `note` needs nothing to be done. */
export interface Defect extends Finding {
  /** Null: a person decides. */
  readonly repair: Repair | null;
}

/** A wheel of an index, by name. */
export interface WheelKey {
  readonly platform: string;
  readonly project: string;
  readonly file: string;
}

/** A wheel as an index holds it. Digests are those of the files; null: there is no such file. */
export interface HeldWheel extends WheelKey {
  readonly digest: Digest | null;
  readonly sidecar: Digest | null;
  readonly statement: Digest | null;
  /** Null: it has none. A finding: it is damaged. */
  readonly entry: IndexEntry | Finding | null;
  /** A record removed it from its page. */
  readonly isRemoved: boolean;
}

const PUBLISH_AGAIN = 'Publish the wheel again: `slipway run FILE`.';
const REPAIR = 'Type `slipway cache check FILE --repair`.';

/** Returns the defects of one wheel: its file, what is beside it, and its entry. */
export function wheelDefects(wheel: HeldWheel): readonly Defect[] {
  const { platform, project, file, entry, digest, isRemoved } = wheel;
  const path = indexPaths.file(platform, project, file);
  const derivable = digest !== null && wheel.statement !== null;
  if (entry === null) return digest === null ? [] : [entryAbsent(path, derivable)];
  if (isFinding(entry))
    return [{ ...entry, repair: derivable ? 'entry' : null, next: derivable ? REPAIR : entry.next }];
  if (digest === null) return isRemoved ? [] : [fileAbsent(path)];
  if (digest !== entry.digest) return [otherBytes(path, entry.digest, digest)];
  return [...sidecarDefects(path, entry.metadata, wheel.sidecar), ...statementDefects(path, entry, wheel.statement)];
}

function sidecarDefects(path: string, wanted: Digest, found: Digest | null): readonly Defect[] {
  if (found === wanted) return [];
  const why =
    found === null
      ? 'the file is absent; installers that ask for it fail'
      : `it has ${short(found)}, and the entry says ${short(wanted)}; installers refuse it`;
  const code = found === null ? 'INDEX_SIDECAR_ABSENT' : 'INDEX_SIDECAR_DIFFERS';
  return [{ level: 'error', code, subject: path + SIDECAR, why, next: REPAIR, repair: 'sidecar' }];
}

function statementDefects(path: string, entry: IndexEntry, found: Digest | null): readonly Defect[] {
  if (found === entry.statement) return [];
  const why =
    found === null
      ? 'the statement is absent, so nothing says what the wheel was built from'
      : `it has ${short(found)}, and the entry says ${short(entry.statement)}; do not trust it`;
  const code = found === null ? 'INDEX_STATEMENT_ABSENT' : 'INDEX_STATEMENT_DIFFERS';
  const next = 'Copy the statement from a backup; nothing else has its bytes. The wheel itself is sound.';
  return [{ level: 'warning', code, subject: path + STATEMENT, why, next, repair: null }];
}

const entryAbsent = (path: string, derivable: boolean): Defect => ({
  ...{ level: 'warning', code: 'INDEX_ENTRY_ABSENT', subject: path },
  why: `the index has the file and no entry, so no page names it${derivable ? '' : '; its statement is absent too'}`,
  next: derivable ? REPAIR : PUBLISH_AGAIN,
  repair: derivable ? 'entry' : null,
});

const fileAbsent = (path: string): Defect => ({
  ...{ level: 'error', code: 'INDEX_FILE_ABSENT', subject: path, repair: null },
  why: 'the index has its entry and no file, so no page may name it',
  next: 'Type `slipway cache check FILE --repair`, then `slipway run FILE`: planning then sees that the wheel is absent.',
});

const otherBytes = (path: string, wanted: Digest, found: Digest): Defect => ({
  ...{ level: 'error', code: 'INDEX_ENTRY_DIFFERS', subject: path, repair: null },
  why: `the file has ${short(found)}, and its entry says ${short(wanted)}; installers refuse it`,
  next: 'Find who changed the folder. Remove the file if you trust the entry, then publish the wheel again.',
});

/** Compares the pages of a platform with those that its entries give. A text of null is an absent file. */
export function pageDefects(
  wanted: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string | null>,
): readonly Defect[] {
  return [...wanted].flatMap(([path, text]) => {
    const seen = found.get(path) ?? null;
    if (seen === text) return [];
    const what = seen === null ? 'absent' : 'not what the entries give';
    const code = seen === null ? 'INDEX_PAGE_ABSENT' : 'INDEX_PAGE_OLD';
    const why = `the page is ${what}, so installers do not see what the index holds`;
    return [{ level: 'error', code, subject: path, why, next: REPAIR, repair: 'pages' } satisfies Defect];
  });
}

/** A link can lead a web server out of the folder. The index never follows one. */
export const linkDefect = (path: string): Defect => ({
  ...{ level: 'error', code: 'INDEX_LINK', subject: path, repair: null },
  why: 'it is a link or a special file; a web server may follow it out of the folder, and the index takes it for absent',
  next: `Remove it, and find who made it. ${PUBLISH_AGAIN}`,
});

/** The bytes of a removed wheel are still there after their grace. Nothing is wrong with the index. */
export const dueDefect = (mark: string): Defect => ({
  ...{ level: 'note', code: 'INDEX_DUE', subject: mark, repair: 'pages' },
  why: 'a prune removed the wheel, its grace is over, and its bytes are still on the disk',
  next: `The writer removes them with the next run that publishes for the platform, or now: ${REPAIR.slice(0, 1).toLowerCase()}${REPAIR.slice(1)}`,
});

/** A file that no record needs. */
export const strangeDefect = (path: string): Defect => ({
  ...{ level: 'note', code: 'INDEX_FILE_STRANGE', subject: path, repair: null },
  why: 'no wheel of the index needs this file',
  next: 'Remove it if nobody else needs it.',
});
