import { parseWheelName } from '../../model/python/file-name.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import { entryName, stepOf } from './entry-name.js';
import type { WheelRow } from './rows.js';

/** Adds the build of a pure wheel that ours has for another target. Its result is known, and the builds behind it take its wheel
 * (`sameAs`) in place of their own. */
export function withFirsts(rows: readonly WheelRow[]): readonly WheelRow[] {
  const here = new Map<string, WheelRow[]>();
  for (const row of rows)
    if (row.verdict === 'here' && parseWheelName(row.file!)?.platforms.includes('any'))
      here.set(entryName(row), [...(here.get(entryName(row)) ?? []), row]);
  const firsts = rows.flatMap((row) => {
    if (row.verdict !== 'build' || row.rebuilds?.isListed) return [];
    const first = (here.get(entryName(row)) ?? []).find(
      (one) => stepOf(one) < stepOf(row) && wheelFits(parseWheelName(one.file!)!, row.target.tags),
    );
    const { file, sha256 } = row;
    return first === undefined ? [] : [{ ...first, verdict: 'build' as const, file: file!, sha256: sha256! }];
  });
  return firsts.length === 0 ? rows : [...firsts, ...rows];
}
