import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Surroundings } from '../activities/step/ports.js';
import { createPoints } from '../adapters/drill-points.js';
import { home, toolsBin } from '../adapters/home.js';
import { createLogWriter } from '../adapters/logs/writer.js';
import { createPrograms } from '../adapters/process/programs.js';
import { openStore } from '../adapters/store/open.js';
import type { OpenStore } from '../adapters/store/opened.js';
import { createAddresses } from './addresses.js';

/** The real world around a worker's steps. */
export async function surroundings(
  worker: string,
  stopping: AbortSignal,
): Promise<Surroundings & { readonly pointers: OpenStore['pointers'] }> {
  const folder = home();
  const { layout, waitsFor, pointers, ...store } = await openStore(process.env, folder);
  return {
    store,
    pointers,
    layout,
    waitsFor,
    programs: createPrograms({ running: join(folder, 'running') }),
    hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
    now: Date.now,
    ticks: () => performance.now(),
    home: folder,
    toolsBin: toolsBin(),
    env: process.env,
    worker,
    stopping,
    openLog: (prefix) => createLogWriter(store, prefix),
    service: await createAddresses(folder, pointers, process.env),
    ...createPoints(process.env),
  };
}
