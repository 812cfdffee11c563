import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../activities/sha256.js';
import { assertInside, writeInside } from '../../../activities/step/inside.js';
import type { StepContext } from '../../../activities/step/ports.js';
import type { Work } from '../../../activities/work.js';
import { short } from '../../../model/digest.js';
import { spackCall, workerRepos, writeScope } from './lay-environment.js';

/** A worker's variables, and the folder of its shared caches. */
export type SpackWorker = Pick<StepContext, 'env' | 'home'>;

const PROGRAM = `import spack.repo

spack.repo.PATH.provider_index, spack.repo.PATH.tag_index, spack.repo.PATH.patch_index
`;

/** Returns the folder of Spack's index of packages. The index of the worker's repositories takes minutes, so it is made once, for the
 * shared cache. Recipes run when it is made: they write into the folder of the step, before a recipe of the project is there. A step
 * indexes its own recipes in a layer that ends with it. */
export async function packageIndex(work: Work, { env, home }: SpackWorker): Promise<string> {
  const repos = workerRepos(env);
  const own = join(work.folder, 'index');
  if (Object.keys(repos).length === 0) return own;
  const of = JSON.stringify([work.toolchain?.tools['spack'] ?? '', repos]);
  const shared = join(home, 'cache', 'spack', short(sha256(of)));
  if (existsSync(shared)) return shared;
  const made = join(work.folder, 'shared-index');
  const { argv, env: variables } = spackCall(work, env, writeScope(work, 'fill', repos, made));
  const program = join(work.folder, 'fill.py');
  writeInside(work, program, PROGRAM);
  const { code } = await work.exec([...argv, 'python', program], { env: work.env(variables) });
  if (code !== 0 || !existsSync(made)) return own;
  assertInside(work, made);
  await share(made, shared);
  return shared;
}

/** Copies plain files and folders, and nothing else that a program left. Another step may have been faster. */
async function share(made: string, shared: string): Promise<void> {
  const fresh = `${shared}.${randomUUID()}`;
  await mkdir(dirname(shared), { recursive: true });
  const isPlain = async (path: string): Promise<boolean> => {
    const found = await lstat(path);
    return found.isFile() || found.isDirectory();
  };
  await cp(made, fresh, { recursive: true, filter: isPlain });
  await rename(fresh, shared).catch(() => rm(fresh, { recursive: true, force: true }));
}
