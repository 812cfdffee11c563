import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { utf8 } from '../../../../adapters/facts/release-text.js';
import { fail } from '../../../../model/failure.js';
import { readHooks } from '../../pure/comments/hooks.js';
import type { Hooks } from '../../schemas/hooks.js';
import { problems } from './errors.js';

export const hooksFile = (home: string): string => join(home, 'hooks.yaml');

/** Reads `hooks.yaml` of a home, with absolute paths. Throws all its problems, HOOKS_ABSENT. */
export async function hooksOf(home: string): Promise<Hooks> {
  const file = hooksFile(home);
  if (!existsSync(file)) throw fail(problems.hooksAbsent(file));
  const { jobs, ...hooks } = readHooks(await utf8(file, file), file).content;
  const whole = Object.entries(jobs).map(([name, job]) => [name, { ...job, file: resolve(home, job.file) }] as const);
  return { ...hooks, jobs: Object.fromEntries(whole) };
}
