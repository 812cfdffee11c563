import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storeFolder } from '../../adapters/store/open.js';
import { ill, well, type Finding, type Patient } from './check.js';

const ENOUGH_BYTES = 5e9;

/** Asks each file system that holds the home, its store, or a folder that a service or worker writes, once. */
export function disks({ home, env }: Patient): readonly Finding[] {
  const main = [home, storeFolder(env, home)].map(there);
  const inside = existsSync(home) ? readdirSync(home).map((name) => join(home, name)) : [];
  const found = new Map<number, Set<string>>();
  for (const path of [...main, join(home, 'docker', 'data'), ...inside]) {
    const device = statSync(path, { throwIfNoEntry: false })?.dev;
    if (device !== undefined) found.set(device, (found.get(device) ?? new Set()).add(path));
  }
  return [...found.values()].map((paths) => {
    const isHome = paths.has(main[0]!);
    const [folder] = [...paths] as [string];
    const mend = isHome
      ? 'set SLIPWAY_HOME to a larger disk'
      : folder.startsWith(`${home}/`)
        ? `mount a larger disk at ${folder}`
        : 'name a store on a larger disk in SLIPWAY_STORE';
    const name = isHome ? 'disk' : `disk of ${[...paths].map((path) => path.replace(`${home}/`, '')).join(', ')}`;
    return askDisk(name, folder, isHome || paths.has(main[1]!), mend);
  });
}

/** Returns the path, or the nearest folder above it that exists. */
const there = (path: string): string => (existsSync(path) ? path : there(dirname(path)));

/** @param isMain false: it may be as small as the service needs */
function askDisk(name: string, folder: string, isMain: boolean, mend: string): Finding {
  const { bavail, bsize, blocks, files, ffree } = statfsSync(folder);
  const isOut = files > 0 && ffree === 0;
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free at ${folder}${isOut ? ', and no room for one more file' : ''}`;
  return bavail * bsize >= (isMain ? ENOUGH_BYTES : Math.min(ENOUGH_BYTES, (blocks * bsize) / 10)) && !isOut
    ? well(name, free)
    : ill(name, free, `Free some space, or ${mend}`);
}
