import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '#slipway/adapters/docker/connection.js';

/** Returns leftovers of finished steps: processes, containers, builds, records and folders.
 * @param engine address of the home's own engine; null without one */
export async function leftBehind(home: string, engine: string | null): Promise<readonly string[]> {
  const containers = engine === null ? [] : await connect(engine).listContainers({ all: true });
  return [
    ...processesIn(join(home, 'work')),
    ...containers.map(({ Names }) => `container ${Names.join()}`),
    ...namesIn(join(home, 'docker', 'data', 'buildkit', 'executor'))
      .filter((name) => /^[a-z0-9]{20,}$/.test(name))
      .map((name) => `build ${name}`),
    ...namesIn(join(home, 'running')).map((name) => `record ${name}`),
    ...namesIn(join(home, 'work')).flatMap((run) =>
      namesIn(join(home, 'work', run)).map((name) => `folder ${run}/${name}`),
    ),
  ];
}

/** Returns processes with a working folder or command-line argument in a folder. */
export function processesOf(folder: string): readonly string[] {
  const named = (pid: string): boolean => commandOf(pid).some((word) => word === folder || word.includes(`${folder}/`));
  const known = new Set(processesIn(folder));
  const more = pids().filter((pid) => Number(pid) !== process.pid && named(pid));
  return [...known, ...more.map(told).filter((line) => !known.has(line))];
}

const processesIn = (folder: string): readonly string[] =>
  pids()
    .filter((pid) => Number(pid) !== process.pid && worksIn(pid, folder))
    .map(told);

const told = (pid: string): string => `process ${pid} ${commandOf(pid).join(' ').slice(0, 120)}`.trimEnd();

const pids = (): readonly string[] => namesIn('/proc').filter((name) => /^\d+$/.test(name));

function worksIn(pid: string, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}

/** Empty for a zombie. */
function commandOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .filter((word) => word !== '');
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
