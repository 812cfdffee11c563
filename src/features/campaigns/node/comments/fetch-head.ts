import { dirname, resolve } from 'node:path';
import type { StepContext } from '../../../../activities/step/ports.js';
import { allowedFile } from '../../../../adapters/facts/allowed-file.js';
import { readReleaseText, parsedRelease } from '../../../../adapters/facts/release-text.js';
import { readRoots } from '../../../../adapters/facts/roots.js';
import { findRepository } from '../../../../adapters/git/find.js';
import { fetchReference, GitRefused } from '../../../../adapters/git/remote.js';
import { fail } from '../../../../model/failure.js';
import { gitSourceOf } from '../../../../plan/git-source.js';
import { gitAddressOf } from '../../pure/comments/hooks.js';
import type { HookJob, Hooks } from '../../schemas/hooks.js';
import { noSource, notFetched } from './errors.js';

/** Fetches the head of a pull request into the repository of a job's source, as `refs/slipway/pull/N`. Returns its commit. Throws
 * RELEASE_FILE_… or REPOSITORY_… if this worker may not read them. */
export async function fetchHead(
  hooks: Hooks,
  { file }: HookJob,
  pull: number,
  { env, home }: Pick<StepContext, 'env' | 'home'>,
): Promise<string> {
  const path = await allowedFile(file, (kind) => readRoots(env, home, kind));
  const source = gitSourceOf(parsedRelease(await readReleaseText(path, '/')).content);
  const found = source && (await findRepository(resolve(dirname(path), source.git)));
  if (found === null) throw fail(noSource(file));
  const [theirs, ours] = [`refs/pull/${pull}/head`, `refs/slipway/pull/${pull}`];
  return fetchReference(gitAddressOf(hooks), found.common, theirs, ours).catch((error: unknown) => {
    throw error instanceof GitRefused ? fail(notFetched(pull, error.message), error) : error;
  });
}
