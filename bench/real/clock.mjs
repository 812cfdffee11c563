import { cpus } from 'node:os';
import { machineMs } from '../cpu.mjs';

/** Carries it out; answers when it began and ended, in ms since 1970, and the CPU in ms that each part, anything at all and nothing
 * used meanwhile. @param parts {Record<string, () => number>} CPU of each so far */
export async function clocked(parts, work) {
  const before = readings(parts);
  const beganMs = Date.now();
  await work();
  const endedMs = Date.now();
  const after = readings(parts);
  const usedMs = Object.fromEntries(Object.keys(parts).map((name) => [name, after.parts[name] - before.parts[name]]));
  const machine = after.machine - before.machine;
  return { beganMs, endedMs, usedMs, machineMs: machine, idleMs: (endedMs - beganMs) * cpus().length - machine };
}

const readings = (parts) => ({
  parts: Object.fromEntries(Object.entries(parts).map(([name, read]) => [name, read()])),
  machine: machineMs(),
});
