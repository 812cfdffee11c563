import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { groupLives, membersOf, signalGroup, startOf } from './identity.js';
import type { Spec } from './protocol.js';

const LOOK_AGAIN_MS = 50;
const FIRST_LOOK_MS = 1;
/** What is still there so long after KILL will not go by waiting. */
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

/** Sends TERM to the programs in a sandbox, not to the sandbox: it would end them at once. The sandbox also ends with its
 * first program. So a first program that does not handle TERM is stopped until the others have ended, and gets TERM last.
 * @returns to be called while the group runs: new programs get TERM too */
function terminateInside(pgid: number): () => void {
  const told = new Set<number>([pgid]);
  const place = new Map<number, number>();
  let held: number | null = null;
  const inside = (): readonly number[] => membersOf(pgid).filter((pid) => pid !== pgid);
  const goOn = (): void => {
    const programs = inside();
    if (programs.length === 0) return void signalGroup(pgid, 'SIGTERM');
    for (const pid of programs) {
      if (told.has(pid)) continue;
      told.add(pid);
      const { number, handlesTerm } = programAt(pid);
      place.set(pid, number);
      if (number === FIRST_PROGRAM && !handlesTerm && held === null) signal((held = pid), 'SIGSTOP');
      else terminate(pid);
    }
    const waits = programs.some((pid) => pid !== held && place.get(pid) !== SANDBOX_ITSELF);
    if (held !== null && !waits) [held] = [terminate(held)];
  };
  goOn();
  return goOn;
}

/** Numbers of processes in their own pid namespace. */
const SANDBOX_ITSELF = 1;
const FIRST_PROGRAM = 2;

/** proc(5), status: `NSpid` has the process's number in each namespace, the innermost last; `SigCgt` and `SigIgn` are masks of
 * signals in hexadecimal, the lowest bit for signal 1. */
function programAt(pid: number): { readonly number: number; readonly handlesTerm: boolean } {
  const status = statusOf(pid);
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  const hasTerm = (mask: string): boolean =>
    mask !== '' && ((BigInt(`0x${mask}`) >> BigInt(constants.signals.SIGTERM - 1)) & 1n) === 1n;
  return {
    number: Number(field('NSpid').split('\t').at(-1)),
    handlesTerm: hasTerm(field('SigCgt')) || hasTerm(field('SigIgn')),
  };
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

function terminate(pid: number): null {
  signal(pid, 'SIGTERM');
  signal(pid, 'SIGCONT');
  return null;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
