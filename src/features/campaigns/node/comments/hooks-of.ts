import { fail } from '../../../../model/failure.js';
import type { Hooks } from '../../schemas/hooks.js';
import { hooksPath, readHooksFile } from '../hooks-file.js';
import { problems } from './errors.js';

/** Reads `hooks.yaml` of a home. Throws all its problems, HOOKS_ABSENT without one. */
export async function hooksOf(home: string): Promise<Hooks> {
  const found = await readHooksFile(home);
  if (found === null) throw fail(problems.hooksAbsent(hooksPath(home)));
  return found;
}
