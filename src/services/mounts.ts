import { readFileSync } from 'node:fs';
import { knownEngineFolder } from './engine-folder.js';
import { run } from './run.js';

/** Unmounts what a killed Docker engine left; mounts would keep the home from being removed. */
export async function unmountEngine(home: string): Promise<void> {
  const folders = [`${home}/docker`, knownEngineFolder(home)].filter((folder) => folder !== null);
  const ours = folders.map((folder) => `${folder}/`);
  const below = mountPoints().filter((point) => ours.some((folder) => point.startsWith(folder)));
  for (const point of below.toReversed()) await run('umount', [point]);
}

/** Mount points in mount order. The kernel escapes spaces and other characters in octal. */
function mountPoints(): readonly string[] {
  if (process.platform !== 'linux') return [];
  const lines = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return lines.map((line) =>
    (line.split(' ')[1] ?? '').replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))),
  );
}
