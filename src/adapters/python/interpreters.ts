import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Interpreter, Interpreters } from '../../activities/pythons/ports.js';
import { probe } from './probe.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Pythons under pyenv and on PATH, probed once per process. Skips virtual environments. */
export function createInterpreters(env: Env = process.env): Interpreters {
  let found: Promise<readonly Interpreter[]> | null = null;
  const all = (): Promise<readonly Interpreter[]> => (found ??= findAll(env));
  return {
    async find(tag) {
      const known = (await all()).find((python) => python.tag === tag && existsSync(python.path));
      if (known) return known;
      found = null; // another Python may have been installed since
      return (await all()).find((python) => python.tag === tag) ?? null;
    },
    async tags() {
      const tags = new Set((await all()).map(({ tag }) => tag));
      return [...tags].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    },
  };
}

async function findAll(env: Env): Promise<readonly Interpreter[]> {
  const candidates = [...(await underPyenv(env)), ...(await onPath(env))];
  const real = await Promise.all(candidates.map((path) => realpath(path)));
  const answers = await Promise.all([...new Set(real)].map(probe));
  return answers.filter((python) => python !== null).sort(better);
}

/** Headers first, then the newest patch; the order of discovery decides the rest. */
const better = (a: Interpreter, b: Interpreter): number =>
  Number(b.headers) - Number(a.headers) || b.version.localeCompare(a.version, 'en', { numeric: true });

async function underPyenv(env: Env): Promise<readonly string[]> {
  const versions = join(env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  const names = await readdir(versions).catch(() => []);
  return names.map((name) => join(versions, name, 'bin', 'python')).filter((path) => existsSync(path));
}

/** Finds `python3.12` and the like. Skips pyenv's shims, whose answer depends on the working folder. */
async function onPath(env: Env): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(isPlain)) {
    const names = await readdir(folder).catch(() => []);
    found.push(...names.filter((name) => /^(python|pypy)3(\.\d+t?)?$/.test(name)).map((name) => join(folder, name)));
  }
  return found;
}

const isPlain = (folder: string): boolean =>
  folder !== '' && !folder.endsWith('/shims') && !existsSync(join(folder, '..', 'pyvenv.cfg'));
