import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileName } from '../../model/file-name.js';
import type { Access } from '../../model/isolation.js';
import type { Env } from '../../model/params.js';
import type { Result } from '../../model/result.js';
import type { Store } from '../ports.js';

/** Returns the folder of a step's fetched tools. Its programs can only read it.
 * @param folder the step's own folder, inside the folder of its attempt */
export const toolsIn = (folder: string): string => join(dirname(folder), 'tools');

/** Lays out the tools among the inputs of a step. Without tools there is no folder. */
export async function layTools(store: Store, inputs: readonly Result[], folder: string): Promise<void> {
  const tools = inputs.flatMap(({ artifacts }) => artifacts).filter(({ kind }) => kind === 'tool');
  for (const { name, digest } of tools) {
    const path = join(toolsIn(folder), fileName(name));
    await store.fetch(digest, path);
    await chmod(path, 0o555);
  }
}

/** Returns an environment whose PATH has a step's tools behind its first folder, which holds Slipway's own. A program that fills the
 * shared caches gets none. */
export function onPath(env: Env, folder: string, access: Access = 'project'): Env {
  const tools = toolsIn(folder);
  if (access === 'fetch' || access === 'line' || !existsSync(tools)) return env;
  const [first = '', ...rest] = (env['PATH'] ?? '').split(delimiter);
  return { ...env, PATH: [first, tools, ...rest].join(delimiter) };
}
