import type { BisectAnswer } from '../../model/bisect.js';

/** Returns the commits that an answer blames: a hash, or a range as `git log` takes it. Null for any other answer. */
export function blameOf(answer: BisectAnswer, commits: readonly string[]): string | null {
  switch (answer.answer) {
    case 'blamed':
      return commits[answer.commit]!;
    case 'span':
      return `${commits[answer.from]!}..${commits[answer.to]!}`;
    default:
      return null;
  }
}
