import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StepContext } from '../../../activities/step/ports.js';
import type { Work } from '../../../activities/work.js';
import { spackCall, workerRepos, writeScope } from './lay-environment.js';

/** A worker's variables, and the folder of its shared caches. */
export type SpackWorker = Pick<StepContext, 'env' | 'home'>;

const PROGRAM = `import spack.repo

spack.repo.PATH.provider_index, spack.repo.PATH.tag_index, spack.repo.PATH.patch_index
`;
const FILLED = '.filled';

/** Returns the folder of Spack's index of packages. The index of the worker's repositories takes minutes, so it is made once, in the
 * shared cache. A step may only read that cache: its own recipes are indexed in a layer that ends with it. */
export async function packageIndex(work: Work, { env, home }: SpackWorker): Promise<string> {
  const repos = workerRepos(env);
  if (Object.keys(repos).length === 0) return join(work.folder, 'index');
  const of = JSON.stringify([work.toolchain?.tools['spack'] ?? '', repos]);
  const folder = join(home, 'cache', 'spack', createHash('sha256').update(of).digest('hex').slice(0, 12));
  if (existsSync(join(folder, FILLED))) return folder;
  mkdirSync(folder, { recursive: true });
  const scope = writeScope(work, 'fill', repos, folder);
  const program = join(work.folder, 'fill.py');
  writeFileSync(program, PROGRAM);
  const { argv, env: own } = spackCall(work, env, scope);
  const { code } = await work.exec([...argv, 'python', program], { env: work.env(own), access: 'fetch' });
  if (code === 0) writeFileSync(join(folder, FILLED), '');
  return folder;
}
