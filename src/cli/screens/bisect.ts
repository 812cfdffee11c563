import type { BisectAnswer, BisectStatus, Tried } from '../../model/bisect.js';
import { counted } from '../../model/counted.js';
import { plain } from '../render/paint.js';

const SHORT = 12;

/** Returns one line for each commit that was tried, the oldest first. */
export const triedLines = ({ tried, commits }: BisectStatus): readonly string[] =>
  tried.map((one) => triedLine(one, commits));

const MARKS = { pass: '●', fail: '○', infra: '?', unbuildable: '-' } as const;

function triedLine({ commit, tries, running, because }: Tried, commits: readonly string[]): string {
  const end = commit === 0 ? '  good end' : commit === commits.length - 1 ? '  bad end' : '';
  const marks = tries.map((one) => MARKS[one]).join('') + '…'.repeat(Math.min(running, 1));
  const told = because !== undefined && !tries.every((one) => one === 'pass') ? `  ${plain(because)}` : '';
  return `  ${shortOf(commit, commits)}  ${marks}${end}${told}`;
}

const shortOf = (commit: number, commits: readonly string[]): string => (commits[commit] ?? '?').slice(0, SHORT);

export const LEGEND = '● passed  ○ failed  ? surroundings, tried again  - cannot be made';

/** Returns the answer in sentences, with what to type next. */
export function answerLines(answer: BisectAnswer, { commits, tried }: BisectStatus): readonly string[] {
  const name = (commit: number): string => shortOf(commit, commits);
  const tries = tried.reduce((sum, one) => sum + one.tries.length, 0);
  const cost = `${tries} ${tries === 1 ? 'try' : 'tries'} of ${counted(tried.length, 'commit')}`;
  switch (answer.answer) {
    case 'blamed':
      return [
        `blamed  ${commits[answer.commit]!}  ${cost}${repeated(answer.repeats)}`,
        `  git show ${name(answer.commit)}`,
      ];
    case 'span':
      return [
        `span  one of ${name(answer.from + 1)} … ${name(answer.to)}: those between cannot be tried  ${cost}${repeated(answer.repeats)}`,
        `  git log --first-parent ${name(answer.from)}..${name(answer.to)}`,
      ];
    case 'not monotone':
      return [
        `not monotone  it fails, passes again and fails between ${name(answer.from)} and ${name(answer.to)}  ${cost}${repeated(answer.repeats)}`,
        '  Bisect a part of it: name one of the passing commits above as --good.',
      ];
    case 'fails at the good end':
      return [`fails at the good end  ${name(0)} fails, too  ${cost}`, '  Name an older commit as --good.'];
    case 'passes at the bad end':
      return [
        `passes at the bad end  ${name(commits.length - 1)} passed each time  ${cost}`,
        '  Name as --bad a commit at which it fails; a failure of the surroundings has no commit to blame.',
      ];
    case 'cannot be tried':
      return [
        `cannot be tried  ${name(answer.commit)} is an end, and its test never ran to an end  ${cost}`,
        '  Name another commit for this end; `slipway logs --run pipeline/NAME/LABEL` tells of a try.',
      ];
  }
}

const repeated = (repeats: number): string =>
  repeats === 1 ? '' : `; a commit counted as passing after ${repeats} passes`;
