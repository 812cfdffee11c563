import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Interpreter, Interpreters } from '../../activities/pythons/ports.js';

const PROBE = String.raw`
import json, os, platform, sys, sysconfig
impl = {"CPython": "cp", "PyPy": "pp"}.get(platform.python_implementation(), sys.implementation.name)
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
print(json.dumps({
  "tag": "%s%d%d%s" % (impl, sys.version_info[0], sys.version_info[1], free),
  "version": platform.python_version(), "path": os.path.realpath(sys.executable), "prefix": sys.base_prefix,
  "headers": os.path.exists(header), "ldshared": sysconfig.get_config_var("LDSHARED") or "",
}))
`;
const LIMIT_MS = 20_000;

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

async function probe(path: string): Promise<Interpreter | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-I', '-c', PROBE], { timeout: LIMIT_MS, env: {} });
    return JSON.parse(stdout) as Interpreter;
  } catch {
    return null;
  }
}
