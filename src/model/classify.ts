import type { FailureClass } from './failure.js';
import {
  FAILURE_PATTERNS,
  FAILURE_SOURCES,
  type FailureEvidence,
  type FailurePattern,
  type FailurePatternName,
} from './failure-patterns.js';

export interface Classified {
  /** Null if no pattern matches. */
  readonly sign: FailurePatternName | null;
  readonly class: FailureClass;
}

/** Classifies a failure by the table of patterns. Without a match the source decides: `product` if a command of the
 * release file failed, `bug` for an unexpected exception. */
export function classify(evidence: FailureEvidence): Classified {
  const at = ROWS.find(({ row, says }) => fits(row, says, evidence));
  return at ? { sign: at.row.sign, class: at.row.class } : { sign: null, class: FAILURE_SOURCES[evidence.of].unknown };
}

/** Returns the code of an exception or of its cause, where `fetch` puts it. Undefined without one. On a read-only disk
 * Node's recursive mkdir reports ENOENT; that becomes EROFS. */
export function errnoOf(error: unknown): string | undefined {
  const { code, cause, syscall } = (error ?? {}) as { code?: unknown; cause?: unknown; syscall?: unknown };
  if (code === 'ENOENT' && syscall === 'mkdir') return 'EROFS';
  if (typeof code === 'string') return code;
  return cause === undefined || cause === error ? undefined : errnoOf(cause);
}

type Row = FailurePattern & { readonly sign: FailurePatternName };
const ROWS = FAILURE_PATTERNS.map((row: Row) => ({
  row,
  says: row.says === undefined ? null : new RegExp(row.says, 'im'),
}));

const fits = (
  row: FailurePattern,
  says: RegExp | null,
  { of, errno, status, exit, name, words }: FailureEvidence,
): boolean =>
  row.of.includes(of) &&
  ((errno !== undefined && (row.errno?.includes(errno) ?? false)) ||
    (status !== undefined && (row.status?.some((one) => within(status, one)) ?? false)) ||
    (exit !== undefined && (row.exit?.includes(exit) ?? false)) ||
    (name !== undefined && (row.name?.includes(name) ?? false)) ||
    (words !== undefined && (says?.test(words) ?? false)));

const within = (status: number, one: number | readonly [number, number]): boolean =>
  typeof one === 'number' ? status === one : status >= one[0] && status <= one[1];
