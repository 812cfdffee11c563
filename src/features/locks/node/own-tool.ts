import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeVenv, installLocks, installPinned } from '../../../activities/step/uv.js';
import type { Interpreter } from '../../../activities/pythons/ports.js';
import type { Work } from '../../../activities/work.js';
import { fail } from '../../../model/failure.js';
import { lockToolAbsent } from './errors.js';
import { toolLockOf } from '../pure/tool-lock.js';

type Lock = Work<'compileLock'>;

/** Returns the Python of an environment that holds the lock's tool: the version of the release file, by the lock of its own, else
 * pip-tools as `prove` pinned it. Made once a step. */
export async function environmentOf(work: Lock, { path }: Interpreter): Promise<string> {
  const folder = join(work.folder, 'tool');
  const python = join(folder, 'bin', 'python');
  // A second lock of the step reuses the environment of the first. The project's code has run there, so nothing more is
  // installed.
  if (existsSync(python)) return python;
  await makeVenv(work, path, folder);
  const lock = await toolLock(work);
  await (lock === null
    ? installPinned(work, { python, isFilled: false }, 'pip-tools', 'pip-compile')
    : installLocks(work, { python, isFilled: false }, [lock]));
  return python;
}

/** Fetches the lock of the step's tool. Null if the release file says no version. */
async function toolLock(work: Lock): Promise<string | null> {
  const { name, tool, version } = work.step.params;
  if (version === undefined) return null;
  const lock = work.artifacts('lock').find(({ labels }) => labels['lock'] === toolLockOf(name));
  if (lock === undefined) throw fail(lockToolAbsent(name, [`${tool}==${version}`], []));
  return work.fetch(lock, join(work.folder, 'tool-lock'));
}

/** Facts of a lock whose tool has a version: `{tool: 'pip-tools==7.4.1', pip: '25.0'}`. */
export async function toolFacts(work: Lock): Promise<{ readonly tool?: string; readonly pip?: string }> {
  const lock = await toolLock(work);
  if (lock === null) return {};
  const { tool, version } = work.step.params;
  const pip = /^pip==([^ ]+)/m.exec(await readFile(lock, 'utf8'))?.[1];
  return { tool: `${tool}==${version!}`, ...(pip !== undefined && { pip }) };
}
