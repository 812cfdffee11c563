import { order } from '../../model/order.js';
import { isEntry, objectIn } from './read-record.js';
import { projectOf, type Listed } from './listed.js';

/** All listed wheels of a platform in one document, for planning. */
export interface Rollup {
  readonly slipway: 1;
  /** Sorted by project, then by file. */
  readonly files: readonly Listed[];
}

export const rollupText = (listed: readonly Listed[]): string => {
  const keyed = listed.map((one) => ({ project: projectOf(one.file), one }));
  keyed.sort((a, b) => order(a.project, b.project) || order(a.one.file, b.one.file));
  return `${JSON.stringify({ slipway: 1, files: keyed.map(({ one }) => rowOf(one)) } satisfies Rollup)}\n`;
};

/** Returns a row with its keys in a fixed order. The same wheels then give the same bytes, whatever the order in their records. */
const rowOf = ({
  file,
  digest,
  size,
  requiresPython,
  metadata,
  statement,
  uploadTime,
  from,
  links,
  epoch,
  publisher,
  yanked,
}: Listed): Listed => ({
  slipway: 1,
  ...{ file, digest, size, requiresPython, metadata, statement, uploadTime },
  from: { source: from.source, lock: from.lock, base: from.base },
  ...(links !== undefined && { links }),
  ...(epoch !== undefined && { epoch }),
  publisher,
  ...(yanked !== undefined && { yanked }),
});

/** Returns the rows of a roll-up by file. Damaged rows are left out: their entries are read again.
 * @param except projects whose rows nobody reads */
export function readRollup(text: string | null, except: ReadonlySet<string> = new Set()): ReadonlyMap<string, Listed> {
  const isRead = (row: unknown): boolean => !except.has(projectOf(String((row as Partial<Listed> | null)?.file)));
  const rows: readonly Listed[] = filesIn(text).filter(isRead).filter(isEntry);
  return new Map(rows.map((row) => [row.file, row]));
}

/** Whether a text is a roll-up. Single rows may still be damaged. */
export function isRollup(text: string): boolean {
  const read = objectIn(text);
  return read?.['slipway'] === 1 && Array.isArray(read['files']);
}

function filesIn(text: string | null): readonly unknown[] {
  const files = objectIn(text ?? '')?.['files'];
  return Array.isArray(files) ? files : [];
}
