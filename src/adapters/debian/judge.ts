import type { Problem } from '../../model/failure.js';
import { debianFailed, debianPackageUnknown, debianUnreachable } from './errors.js';

const FETCHING = /Failed to fetch|Could not resolve|Connection (refused|timed out|failed)/i;

/** Why mmdebstrap failed, from its last lines. */
export function judgeDebian(suite: string, code: number, lines: readonly string[]): Problem {
  const unknown = lines
    .map((line) => /Unable to locate package (\S+)/.exec(line)?.[1])
    .find((name) => name !== undefined);
  if (unknown !== undefined) return debianPackageUnknown(suite, unknown, lines);
  return lines.some((line) => FETCHING.test(line)) ? debianUnreachable(suite, lines) : debianFailed(suite, code, lines);
}
