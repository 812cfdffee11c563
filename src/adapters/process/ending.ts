import { childrenByParent, groupLives, signalGroup, startOf } from './identity.js';
import type { Spec } from './protocol.js';

const LOOK_AGAIN_MS = 50;
const FIRST_LOOK_MS = 1;
/** How long to wait after KILL. A process that is still there will not go by waiting. */
const KILLED_AFTER_MS = 1_000;

/** Ends the group: TERM, KILL after the grace time, and `ended` once nobody of it runs.
 * `listed` is true for what KILL did not end: dead already, but reaped by nobody, or stuck in the kernel. */
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
    // It takes milliseconds, unless the machine is busy.
    setTimeout(() => look(atMs - beganMs < 10 ? waitMs : Math.min(2 * waitMs, LOOK_AGAIN_MS)), waitMs);
  };
  look(FIRST_LOOK_MS);
}

function terminateAll(pgid: number): () => void {
  signalGroup(pgid, 'SIGTERM');
  signalGroup(pgid, 'SIGCONT');
  return () => undefined;
}

/** Sends TERM to the programs in a sandbox, also to those in sessions of their own. The sandbox ends with its first program, and
 * takes the others with it. So it is stopped until all of them have ended, and then goes on with the status of the first.
 * @returns to be called while the group runs: new programs get TERM too */
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
    // A sandbox in which nothing runs, and that does not end by itself, has started no program yet.
    if (wentOn) signalGroup(pgid, 'SIGTERM');
    signalGroup(pgid, 'SIGCONT');
    wentOn = true;
  };
  goOn();
  return goOn;
}

/** Pids of the programs in a sandbox: what is below the first process of its pid namespace, its only child. */
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
    // It has ended.
  }
}
