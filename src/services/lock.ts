import { renameSync, rmSync } from 'node:fs';
import { identityOf, lives, type Identity } from '../adapters/process/identity.js';
import { linkFirst } from '../adapters/store/temporary.js';
import { lockFile } from './folders.js';
import { readJson, writeJson } from './files.js';

export function supervisor(home: string): Identity | null {
  const holder = readJson<Identity>(lockFile(home));
  return holder !== null && lives(holder) ? holder : null;
}

/** Makes this process the supervisor. False if another one lives. */
export function becomeSupervisor(home: string): boolean {
  const lock = lockFile(home);
  const mine = `${lock}.${process.pid}`;
  writeJson(mine, identityOf(process.pid));
  try {
    for (;;) {
      if (linkFirst(mine, lock)) return true;
      if (supervisor(home) !== null) return false;
      moveAside(lock);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** False once the home was removed or another process took over. */
export const isStillSupervisor = (home: string): boolean => readJson<Identity>(lockFile(home))?.pid === process.pid;

/** Removes the lock, unless another living process holds it. */
export function leave(home: string): void {
  const holder = supervisor(home);
  if (holder === null || holder.pid === process.pid) rmSync(lockFile(home), { force: true });
}

/** Removes a dead holder's lock. Puts the lock back if a living process took it meanwhile. */
function moveAside(lock: string): void {
  const aside = `${lock}.${process.pid}.dead`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  const holder = readJson<Identity>(aside);
  if (holder !== null && lives(holder)) linkFirst(aside, lock);
  rmSync(aside, { force: true });
}
