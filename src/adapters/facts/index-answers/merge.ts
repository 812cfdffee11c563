import type { AskedProject, IndexAnswer, IndexFile } from '../../../importers/index.js';
import { MOST_VERSIONS, type Remembered } from './memory.js';
import type { Line } from './pip.js';

/** Knowledge about a project in one index: the record, and why it could not be renewed. */
export interface Known {
  readonly record: Remembered | null;
  /** Null: it is current. */
  readonly late: string | null;
}

/** Whether a record answers for these versions. A version that was never asked for is not in it. */
export const covers = (record: Remembered | null, versions: AskedProject['versions']): boolean =>
  record !== null &&
  record.askedAtMs !== null &&
  (record.versions === 'all' || (versions !== 'all' && versions.every((one) => record.versions.includes(one))));

/** The versions to ask for: those of the record too, so that two release files do not forget each other's. */
export function withRemembered(
  record: Remembered | null,
  versions: AskedProject['versions'],
): AskedProject['versions'] {
  if (versions === 'all' || record === null || record.versions === 'all') return versions;
  return [...new Set([...record.versions.filter((one) => !versions.includes(one)), ...versions])].slice(
    -Math.max(MOST_VERSIONS, versions.length),
  );
}

/** The record after an answer. */
export function renewed(
  record: Remembered | null,
  line: Line,
  versions: AskedProject['versions'],
  nowMs: number,
): Remembered {
  switch (line.kind) {
    case 'page': {
      const { etag, files, newest, foreign } = line;
      return { askedAtMs: nowMs, etag, versions, page: { files, newest, foreign }, silentSinceMs: null };
    }
    case 'same':
      return { ...record!, askedAtMs: nowMs, silentSinceMs: null };
    case 'absent':
      return { askedAtMs: nowMs, etag: null, versions, page: null, silentSinceMs: null };
    case 'none':
      return {
        ...(record ?? { askedAtMs: null, etag: null, versions: versions === 'all' ? versions : [], page: null }),
        silentSinceMs: record?.silentSinceMs ?? nowMs,
      };
    default:
      return line satisfies never;
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** One answer from what all indexes said. An index that never answered leaves the project unanswered: it may have the wheel. */
export function merged({ versions }: AskedProject, known: readonly Known[], nowMs: number): IndexAnswer {
  const silent = known.filter(({ record }) => !covers(record, versions));
  if (silent.length > 0) {
    const sinceMs = Math.min(...silent.map(({ record }) => record?.silentSinceMs ?? nowMs));
    return { state: 'unanswered', since: iso(sinceMs), why: silent[0]!.late ?? 'it was never asked' };
  }
  const askedAt = iso(Math.min(...known.map(({ record }) => record!.askedAtMs!)));
  const late = known.find((one) => one.late !== null)?.late ?? null;
  const pages = known.flatMap(({ record }) => record!.page ?? []);
  if (pages.length === 0) return { state: 'absent', askedAt, late };
  const isAsked = ({ version }: IndexFile): boolean => versions === 'all' || versions.includes(version);
  return {
    ...{ state: 'files', askedAt, late },
    files: firstOfEach(pages.flatMap(({ files }) => files.filter(isAsked))),
    newest: pages[0]!.newest,
    foreign: pages.flatMap(({ foreign }) => foreign).slice(0, 5),
  };
}

/** Each file of a version once, as the first index says it. */
function firstOfEach(files: readonly IndexFile[]): readonly IndexFile[] {
  const sorted = files.toSorted(byName); // a stable order: the first index's file is before its equals
  return sorted.filter((one, at) => at === 0 || byName(sorted[at - 1]!, one) !== 0);
}

const byName = (a: IndexFile, b: IndexFile): number => compare(a.file, b.file) || compare(a.version, b.version);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
