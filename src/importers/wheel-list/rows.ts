import type { SourceLocation } from '../../model/failure.js';
import type { Target } from './target.js';
import { type Page, type Rules, type Verdict, verdictOf } from './verdict.js';
import type { Want } from './wanted.js';

/** One wanted version on one target, with the verdict about it. */
export interface WheelRow extends Verdict {
  /** As PEP 503 normalises it. */
  readonly project: string;
  readonly target: Target;
  /** Lines that want it. */
  readonly asked: readonly SourceLocation[];
}

/** Judges all wants. Wants of several lists for one version on one target are one row.
 * @param pages pages of the index by project */
export function rowsOf(wants: readonly Want[], pages: (project: string) => Page, rules: Rules): readonly WheelRow[] {
  const rows = new Map<string, WheelRow>();
  for (const want of wants) {
    const verdict = verdictOf(want, pages(want.wanted.project), rules);
    const { target } = want;
    const { project } = want.wanted;
    const key = [project, verdict.version, target.platform, target.python].join(' ');
    const before = rows.get(key);
    const asked = [...(before?.asked ?? []), want.wanted.asked];
    rows.set(key, { ...merged(before, { ...verdict, project, target, asked }), asked });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** A list that wants the version goes before one that leaves it out, and a refusal before a wheel or a build. */
function merged(before: WheelRow | undefined, row: WheelRow): WheelRow {
  if (before === undefined || before.verdict === 'left out') return row;
  return row.verdict === 'impossible' ? row : before;
}
