import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';
import { targetDenied, targetRefused, targetUnreachable } from '../http/errors.js';

export const saysNoCommit = (words: string): boolean =>
  /not our ref|unadvertised object|couldn't find remote ref|no such remote ref/i.test(words);

export function judgeGit(target: string, address: string, what: string, words: string): Problem {
  const evidence = words.trim().split('\n').slice(-12);
  switch (classify({ of: 'git', words }).class) {
    case 'denied':
      return { ...targetDenied(target, address, Number(/error: (40[13])/.exec(words)?.[1] ?? 401)), evidence };
    case 'infra':
      return { ...targetUnreachable(target, address, evidence.at(-1) ?? 'no words'), evidence };
    default:
      return targetRefused(target, what, evidence);
  }
}
