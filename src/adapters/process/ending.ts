import { childrenByParent, groupLives, signalGroup, startOf } from './identity.js';
import type { Spec } from './protocol.js';

const LOOK_AGAIN_MS = 50;
const FIRST_LOOK_MS = 1;
/** Wait after SIGKILL; a process that survives it will not end by waiting. */
const KILLED_AFTER_MS = 1_000;

/** Ends the group: SIGTERM, SIGKILL after the grace time, then `ended`.
 * @param ended gets true if processes remain after SIGKILL: unreaped, or stuck in the kernel */
export function endGroup(
  pgid: number,
  { graceMs, boxed }: Pick<Spec, 'graceMs' | 'boxed'>,
  ended: (listed: boolean) => void,
): void {
  const killAt = performance.now() + graceMs;
  const goOn = boxed ? terminateInside(pgid) : terminateAll(pgid);
  const look = (waitMs: number): void => {
    if (!groupLives(pgid)) return ended(false);
    if (performance.now() >= killAt + KILLED_AFTER_MS) return ended(true);
    if (performance.now() >= killAt) signalGroup(pgid, 'SIGKILL');
    else goOn();
    setTimeout(() => look(Math.min(2 * waitMs, LOOK_AGAIN_MS)), waitMs);
  };
  look(FIRST_LOOK_MS);
}

/** Calls `gone` once this process has ended, or after a second. */
export function whenGone(pid: number, gone: () => void): void {
  const beganMs = performance.now();
  const lookUntil = beganMs + KILLED_AFTER_MS;
  const look = (waitMs: number): void => {
    const atMs = performance.now();
    if (startOf(pid) === null || atMs >= lookUntil) return gone();
    // The end takes milliseconds, unless the machine is busy.
    setTimeout(() => look(atMs - beganMs < 10 ? waitMs : Math.min(2 * waitMs, LOOK_AGAIN_MS)), waitMs);
  };
  look(FIRST_LOOK_MS);
}

function terminateAll(pgid: number): () => void {
  signalGroup(pgid, 'SIGTERM');
  signalGroup(pgid, 'SIGCONT');
  return () => undefined;
}

/** Sends SIGTERM to the programs in a sandbox, also to those in other sessions. The sandbox kills the others when its
 * first program ends, so it stays stopped until all have ended.
 * @returns a function to call while the group runs: it signals new programs */
function terminateInside(pgid: number): () => void {
  const told = new Set<number>();
  let wentOn = false;
  const goOn = (): void => {
    const programs = programsIn(pgid);
    if (programs.length > 0) signal(pgid, 'SIGSTOP');
    for (const pid of programs.filter((one) => !told.has(one))) {
      told.add(pid);
      signal(pid, 'SIGTERM');
      signal(pid, 'SIGCONT');
    }
    if (programs.length > 0) return;
    // A sandbox that runs nothing and does not end has not started its program yet.
    if (wentOn) signalGroup(pgid, 'SIGTERM');
    signalGroup(pgid, 'SIGCONT');
    wentOn = true;
  };
  goOn();
  return goOn;
}

/** Pids of the programs in a sandbox: the descendants of its only child, the init of its pid namespace. */
function programsIn(sandbox: number): readonly number[] {
  const below = childrenByParent();
  const found: number[] = [];
  const visit = (pid: number): void => {
    for (const child of below.get(pid) ?? []) {
      found.push(child);
      visit(child);
    }
  };
  for (const first of below.get(sandbox) ?? []) visit(first);
  return found;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
