import { lstatSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileName } from '../../model/file-name.js';
import type { Access } from '../../model/isolation.js';
import type { Env } from '../../model/params.js';
import type { Plan, Step } from '../../model/plan.js';
import type { Store } from '../ports.js';

/** Returns the folder of a step's fetched tools. Its programs can only read it.
 * @param folder the step's own folder, inside the folder of its attempt */
export const toolsIn = (folder: string): string => join(dirname(folder), 'tools');

/** Whether a step has tools. A container can lay a link in place of their folder, and a mount would follow it. */
export const hasTools = (folder: string): boolean =>
  lstatSync(toolsIn(folder), { throwIfNoEntry: false })?.isDirectory() === true;

/** Lays out the tools that a step needs, by the digests of the plan: a result may name others. Without tools there is no folder. */
export async function layTools(
  store: Store,
  plan: Plan,
  { needs }: Pick<Step, 'needs'>,
  folder: string,
): Promise<void> {
  for (const step of plan.steps) {
    if (step.kind !== 'fetchTool' || !needs.includes(step.id)) continue;
    const path = join(toolsIn(folder), fileName(step.params.tool));
    await store.fetch(`sha256:${step.params.sha256}`, path);
    await chmod(path, 0o555);
  }
}

/** Returns an environment whose PATH has a step's tools behind its first folder, which holds Slipway's own. A program that fills the
 * shared caches gets none. */
export function onPath(env: Env, folder: string, access: Access = 'project'): Env {
  const tools = toolsIn(folder);
  if (access === 'fetch' || access === 'line' || !hasTools(folder)) return env;
  const [first = '', ...rest] = (env['PATH'] ?? '').split(delimiter);
  return { ...env, PATH: [first, tools, ...rest].join(delimiter) };
}
