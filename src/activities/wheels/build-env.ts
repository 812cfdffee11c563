import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Interpreter, Interpreters } from '../pythons/ports.js';
import { pythonAbsent } from '../pythons/errors.js';
import { installLocks, makeVenv } from '../step/uv.js';
import type { Work } from '../work.js';

/** A fresh virtual environment of one Python with only the locked build requirements. */
export interface BuildEnv {
  readonly folder: string;
  readonly python: string;
  readonly interpreter: Interpreter;
  /** Paths of the locks that were installed. */
  readonly locks: readonly string[];
  /** True if a lock was installed; builds then use it without isolation. */
  readonly locked: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** @param seed installs pip */
export async function makeBuildEnv(
  work: Work,
  interpreters: Interpreters,
  tag: string | null,
  seed = false,
): Promise<BuildEnv> {
  return makeEnvOf(work, await interpreterFor(work, interpreters, tag), seed);
}

/** @param seed installs pip */
export async function makeEnvOf(work: Work, interpreter: Interpreter, seed: boolean): Promise<BuildEnv> {
  const folder = join(work.folder, 'venv');
  const python = join(folder, 'bin', 'python');
  await makeVenv(work, interpreter.path, folder, seed ? ['--seed'] : []);
  const locks = locksFor(work, interpreter.tag);
  const files = await Promise.all(locks.map((lock) => work.fetch(lock, join(work.folder, 'locks'))));
  if (files.length > 0) {
    await installLocks(work, { python, isFilled: false }, files);
  }
  return {
    folder,
    python,
    interpreter,
    locks: files,
    locked: files.length > 0,
    env: environment(work, folder, interpreter),
  };
}

async function interpreterFor(work: Work, interpreters: Interpreters, tag: string | null): Promise<Interpreter> {
  const here = await interpreters.tags();
  const wanted = tag ?? work.artifacts('lock')[0]?.labels['python'] ?? here.at(-1) ?? 'cp311';
  const found = await interpreters.find(wanted);
  if (found === null) throw fail(pythonAbsent(wanted, here));
  return found;
}

const locksFor = (work: Work, tag: string) =>
  work.artifacts('lock').filter(({ labels }) => labels['python'] === undefined || labels['python'] === tag);

function environment(work: Work, folder: string, interpreter: Interpreter): Record<string, string> {
  return {
    VIRTUAL_ENV: folder,
    PATH: `${join(folder, 'bin')}:${work.env()['PATH'] ?? ''}`,
    PYTHONDONTWRITEBYTECODE: '1',
    ...cleanLinker(interpreter),
  };
}

/** Drops run paths and library folders from LDSHARED. A Python from a home folder would otherwise write run paths into
 * extensions that users' machines do not have. */
export function cleanLinker({ ldshared }: Pick<Interpreter, 'ldshared'>): Record<string, string> {
  const words = ldshared.split(/\s+/);
  const kept = words.filter((word) => !/^(-Wl,-rpath|-Wl,--enable-new-dtags|-L\/)/.test(word));
  return kept.length === words.length ? {} : { LDSHARED: kept.join(' ') };
}
