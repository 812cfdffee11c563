import type { FailureClass } from './failure.js';
import {
  FAILURE_PATTERNS,
  FAILURE_SOURCES,
  type FailureEvidence,
  type FailurePattern,
  type FailurePatternName,
} from './failure-patterns.js';

export interface Classified {
  /** Null: nothing that is known fits. */
  readonly sign: FailurePatternName | null;
  readonly class: FailureClass;
}

/** What a failure is, by the table of signs; without one it is what its voice means by default: the product's fault where a
 * command of the release file failed, ours where we did not expect it. */
export function classify(evidence: FailureEvidence): Classified {
  const at = ROWS.find(({ row, says }) => fits(row, says, evidence));
  return at ? { sign: at.row.sign, class: at.row.class } : { sign: null, class: FAILURE_SOURCES[evidence.of].unknown };
}

/** The code of an exception, or of its cause: `fetch` tells only there. Undefined without one.
 * Node answers ENOENT where it should make a folder with its parents on a read-only disk; that is EROFS. */
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
