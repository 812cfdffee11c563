import type { Problem } from '../../model/failure.js';
import { targetDenied, targetRefused, targetUnreachable } from '../http/errors.js';

/** What git says, and what it means; the first that fits. Told by https, ssh and paths alike. */
const MEANINGS = [
  {
    means: 'denied',
    says: /Authentication failed|could not read (Username|Password)|Permission denied|error: 40[13]|not authori[sz]ed/i,
  },
  {
    means: 'away',
    says: /Could not resolve host|Couldn't connect|Connection (refused|reset|closed|timed out)|timed out|early EOF|hung up|error: (429|5\d\d)|unable to look up/i,
  },
] as const;

/** Git names the commit only so where the server does not show it. */
export const saysNoCommit = (words: string): boolean =>
  /not our ref|unadvertised object|couldn't find remote ref|no such remote ref/i.test(words);

/** @param words of git, on stderr */
export function judgeGit(target: string, address: string, what: string, words: string): Problem {
  const evidence = words.trim().split('\n').slice(-12);
  switch (MEANINGS.find(({ says }) => says.test(words))?.means) {
    case 'denied':
      return { ...targetDenied(target, address, Number(/error: (40[13])/.exec(words)?.[1] ?? 401)), evidence };
    case 'away':
      return { ...targetUnreachable(target, address, evidence.at(-1) ?? 'no words'), evidence };
    default:
      return targetRefused(target, what, evidence);
  }
}
