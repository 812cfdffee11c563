import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Surroundings } from '../activities/step/ports.js';
import { home, toolsBin } from '../adapters/home.js';
import { createLogWriter } from '../adapters/logs/writer.js';
import { createPrograms } from '../adapters/process/programs.js';
import { createInterpreters } from '../adapters/python/index.js';
import { openStore } from '../adapters/store/open.js';
import type { ServicesState } from '../services/state.js';

/** The real world around a worker's steps. */
export async function surroundings(worker: string): Promise<Surroundings> {
  const folder = home();
  const { layout, waitsFor, ...store } = await openStore(process.env, folder);
  const interpreters = createInterpreters(process.env);
  return {
    store,
    layout,
    waitsFor,
    programs: createPrograms({ running: join(folder, 'running') }),
    hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
    now: Date.now,
    home: folder,
    toolsBin: toolsBin(),
    env: process.env,
    worker: `${worker}@${hostname()}`,
    openLog: (prefix) => createLogWriter(store, prefix),
    python: async (tag) => (await interpreters.find(tag))?.path ?? null,
    service: (name) => serviceAddress(folder, name),
  };
}

/** Read each time: services may be started again on other ports. */
export function serviceAddress(folder: string, name: string): string | null {
  try {
    const state = JSON.parse(readFileSync(join(folder, 'services.json'), 'utf8')) as ServicesState;
    return state.services[name]?.address ?? null;
  } catch {
    return null;
  }
}
