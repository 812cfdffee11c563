import type { Complain } from '../file-problem.js';
import { problems } from './errors.js';

export type Variables = Readonly<Record<string, string>>;

/** Variables of an env file: `K=V` lines, outer quotes off. Blank lines and comments count for nothing. */
export function environmentOf(text: string, file: string, complain: Complain): Variables {
  const found: [string, string][] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, key, value] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) complain(problems.notAVariable({ file, line: index + 1 }, line));
    else found.push([key, withoutOuterQuotes(value)]);
  }
  return Object.fromEntries(found);
}

/** An expression for the last quotes would take quadratic time. */
function withoutOuterQuotes(value: string): string {
  let [begin, end] = [0, value.length];
  while (begin < end && value[begin] === '"') begin += 1;
  while (end > begin && value[end - 1] === '"') end -= 1;
  return value.slice(begin, end);
}

/** Variables that a compute file may read: the environment's, and those that upstream adds. */
export function computeVariables(env: Variables, cloudId: string | undefined, cloud: string | undefined): Variables {
  const id = cloudId ?? env['RELEASE_DEFAULT_CLOUD_ID'] ?? '';
  return { ...env, ANYSCALE_CLOUD_ID: id, ANYSCALE_CLOUD_NAME: cloud ?? env['RELEASE_DEFAULT_CLOUD_NAME'] ?? id };
}
