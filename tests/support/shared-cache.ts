import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { home, packageRoot } from '../../src/adapters/home.js';
import { newHome } from './run-body.js';

/** A home of its own with this checkout's caches: what zig has compiled once for a target is not compiled by every suite. */
export async function homeWithCache(): Promise<string> {
  const own = await newHome();
  await giveCache(own);
  return own;
}

/** Links this checkout's caches into a home that has none yet. */
export async function giveCache(own: string): Promise<void> {
  const cache = join(home(), 'cache');
  await mkdir(cache, { recursive: true });
  await symlink(cache, join(own, 'cache'));
}

/** A home of its own whose cache holds the workflows of dist/. */
export async function homeWithWorkflows(): Promise<string> {
  const own = await newHome();
  await giveWorkflows(own);
  return own;
}

const BUNDLE = `require(process.argv[1] + '/dist/workers/workflow-code.js').workflowCode(process.argv[2]);`;
const FOLDER = join(packageRoot(), 'node_modules', '.cache', 'slipway-workers');

/** Links the bundle of dist/ into the cache of a home. It is made once: a worker needs over two seconds of CPU for each new home. */
export async function giveWorkflows(own: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['-e', BUNDLE, packageRoot(), FOLDER]);
  await mkdir(join(own, 'cache'), { recursive: true, mode: 0o700 });
  const bundles = (await readdir(FOLDER)).filter((name) => name.endsWith('.js'));
  for (const name of bundles) await symlink(join(FOLDER, name), join(own, 'cache', name));
}
