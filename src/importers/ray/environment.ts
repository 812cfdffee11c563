import type { Problem } from '../../model/failure.js';
import { problems } from './errors.js';

export type Variables = Readonly<Record<string, string>>;

/** Variables of an env file: `K=V` lines, outer quotes off. Blank lines and comments count for nothing. */
export function environmentOf(text: string, file: string, complain: (problem: Problem) => void): Variables {
  const found: [string, string][] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, key, value] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) complain(problems.notAVariable({ file, line: index + 1 }, line));
    else found.push([key, value.replace(/^"+|"+$/g, '')]);
  }
  return Object.fromEntries(found);
}

/** Variables that a compute file may read: the environment's, and those that upstream adds. */
export function computeVariables(env: Variables, cloudId: string | undefined, cloud: string | undefined): Variables {
  const id = cloudId ?? env['RELEASE_DEFAULT_CLOUD_ID'] ?? '';
  return { ...env, ANYSCALE_CLOUD_ID: id, ANYSCALE_CLOUD_NAME: cloud ?? env['RELEASE_DEFAULT_CLOUD_NAME'] ?? id };
}
