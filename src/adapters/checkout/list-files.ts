import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const DEEPEST = 4;
const MOST_FILES = 5_000;

/** Folders without releasable projects: state, build output, third-party code, tests. */
const LEFT_OUT =
  /^(\..*|node_modules|build|dist|target|venv|env|__pycache__|tests?|testing|docs?|examples?|samples?|benchmarks?|third[_-]?party|vendor|extern|external|subprojects)$/;

/** Returns paths of regular files below a folder, sorted. Past MOST_FILES the nearest levels win. Links are not
 * followed. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  let level: readonly string[] = [''];
  for (let depth = 0; depth <= DEEPEST && found.length < MOST_FILES; depth += 1) {
    const read = await Promise.all(level.map((below) => entries(folder, below)));
    found.push(...read.flatMap(({ files }) => files));
    level = read.flatMap(({ folders }) => folders);
  }
  return found.slice(0, MOST_FILES).sort();
}

async function entries(folder: string, below: string): Promise<{ files: string[]; folders: string[] }> {
  const all = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  const path = (name: string): string => (below === '' ? name : `${below}/${name}`);
  return {
    files: all.filter((entry) => entry.isFile()).map(({ name }) => path(name)),
    folders: all.filter((entry) => entry.isDirectory() && !LEFT_OUT.test(entry.name)).map(({ name }) => path(name)),
  };
}
