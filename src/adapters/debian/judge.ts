import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';
import { debianFailed, debianPackageUnknown, debianUnreachable } from './errors.js';

export function judgeDebian(suite: string, code: number, lines: readonly string[]): Problem {
  const unknown = lines
    .map((line) => /Unable to locate package (\S+)/.exec(line)?.[1])
    .find((name) => name !== undefined);
  if (unknown !== undefined) return debianPackageUnknown(suite, unknown, lines);
  const found = classify({ of: 'command', words: lines.join('\n') });
  return found.class === 'infra' ? debianUnreachable(suite, lines) : debianFailed(suite, code, lines);
}
