import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { home } from '../../src/adapters/home.js';
import { newHome } from './run-body.js';

/** A home of its own with this checkout's caches: what zig has compiled once for a target is not compiled by every suite. */
export async function homeWithCache(): Promise<string> {
  const [own, cache] = [await newHome(), join(home(), 'cache')];
  await mkdir(cache, { recursive: true });
  await symlink(cache, join(own, 'cache'));
  return own;
}
