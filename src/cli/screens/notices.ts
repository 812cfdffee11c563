import type { Finding } from '../../model/finding.js';
import type { Plan } from '../../model/plan.js';
import { first, plain, section, type Colours } from '../render/paint.js';

/** Findings of planning: about the source, and of imports about what they read. */
export const noticesOf = ({ notices: own = [], imports }: Pick<Plan, 'notices' | 'imports'>): readonly Finding[] => [
  ...own,
  ...(imports?.of ?? []).flatMap(({ notices }) => notices),
];

export const noticeLines = (notices: readonly Finding[]): readonly string[] =>
  notices.flatMap(({ level, code, subject, why, next }) => [
    `  ${level} ${code} ${plain(subject)}: ${plain(why)}`,
    `    ${plain(next)}`,
  ]);

/** Findings on the last screen of a run before the rest is counted. */
const TOLD = 10;

/** Lines about what planning found wrong, with what to type next. */
export function plannedLines(notices: readonly Finding[], paint: Colours): readonly string[] {
  const told = notices.filter(({ level }) => level !== 'note');
  return section(paint.bold('Found while planning'), first(told, TOLD, noticeLines, 'slipway plan'));
}

/** Lines about what went wrong after the verdict. */
export const foundAfterLines = (findings: readonly Finding[], paint: Colours): readonly string[] =>
  section(paint.bold('Found after the verdict'), noticeLines(findings));
