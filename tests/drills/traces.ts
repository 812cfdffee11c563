import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../src/services/ask.js';

/** Whatever of a step is still there although it is over. */
export async function leftBehind(home: string, engine: string): Promise<readonly string[]> {
  const containers = JSON.parse((await ask(engine, '/containers/json?all=1'))!.body) as { Names: string[] }[];
  return [
    ...processesIn(join(home, 'work')),
    ...containers.map(({ Names }) => `container ${Names.join()}`),
    ...namesIn(join(home, 'docker', 'data', 'buildkit', 'executor'))
      .filter((name) => /^[a-z0-9]{20,}$/.test(name))
      .map((name) => `build ${name}`),
    ...namesIn(join(home, 'running')).map((name) => `record ${name}`),
    ...namesIn(join(home, 'work')).flatMap((run) => namesIn(join(home, 'work', run))),
  ];
}

function processesIn(folder: string): readonly string[] {
  const inside = (pid: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`);
    } catch {
      return false;
    }
  };
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && inside(name))
    .map((pid) => `process ${pid}`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** One accepted PUT or POST for each blob, manifest, tag and wheel: what stands in an access log twice. */
export function sentTwice(home: string): readonly string[] {
  const hub = lines(home, 'registry').flatMap((line) => {
    const [, path, status] = /"PUT (\S+) HTTP\/1\.1" (\d+)/.exec(line) ?? [];
    if (path === undefined || status !== '201') return [];
    const blob = /^(.*)\/blobs\/uploads\/.*[?&]digest=([^&]+)/.exec(path);
    return [blob ? `${blob[1]} ${blob[2]}` : path];
  });
  // The index tells no names of what was sent: twine sends one file per release here, and says how long it is.
  const index = lines(home, 'index').flatMap((line) => /POST 200 "\/root\/release\/" \d+ \d+/.exec(line) ?? []);
  return [...repeated(hub), ...(index.length > served(home) ? index : [])];
}

const repeated = (all: readonly string[]): readonly string[] => all.filter((one, at) => all.indexOf(one) !== at);

/** Names of wheels that were downloaded from the index, by which each was verified. */
const served = (home: string): number =>
  new Set(lines(home, 'index').flatMap((line) => /GET 200 "\S*\/([^/"]+\.whl)"/.exec(line)?.[1] ?? [])).size;

const lines = (home: string, name: string): readonly string[] =>
  readFileSync(join(home, 'log', `${name}-access.log`), 'utf8').split('\n');
