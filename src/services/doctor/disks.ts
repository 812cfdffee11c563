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
  return [...found.values()].map((paths) => askDisk(paths, home, main));
}

/** Returns the path, or the nearest folder above it that exists. */
const there = (path: string): string => (existsSync(path) ? path : there(dirname(path)));

/** @param main home and store. Other disks may be as small as their service needs */
function askDisk(paths: ReadonlySet<string>, home: string, main: readonly string[]): Finding {
  const [folder] = [...paths] as [string];
  const isHome = paths.has(main[0]!);
  const inside = [...paths].map((path) => path.replace(`${home}/`, ''));
  const { bavail, bsize, blocks, files, ffree } = statfsSync(folder);
  const isOut = files > 0 && ffree === 0;
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free at ${folder}${isOut ? ', and no room for one more file' : ''}`;
  const least = main.some((path) => paths.has(path)) ? ENOUGH_BYTES : Math.min(ENOUGH_BYTES, (blocks * bsize) / 10);
  const name = isHome ? 'disk' : `disk of ${inside.join(', ')}`;
  if (bavail * bsize >= least && !isOut) return well(name, free);
  const inHome = folder.startsWith(`${home}/`) ? `mount a larger disk at ${folder}` : null;
  const mend = isHome
    ? 'set SLIPWAY_HOME to a larger disk'
    : (inHome ?? 'name a store on a larger disk in SLIPWAY_STORE');
  return ill(name, free, `Free some space, or ${mend}`);
}
