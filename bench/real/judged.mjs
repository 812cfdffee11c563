import { existsSync, readFileSync } from 'node:fs';
import { criticalMs } from './graph.mjs';
import queues from './queues.cjs';

/** How long it took, how much of that the commands worked, and how long nothing could do it faster, in seconds; how much of it lies
 * before the first command and after the last; and the CPU in ms a step of each part, of everything else that is not the commands,
 * and of nobody. @param clock from `clocked` */
export function judged(steps, log, { beganMs, endedMs, usedMs, machineMs, idleMs }) {
  const lines = linesOf(log);
  const cpuMs = new Map(lines.map(({ name, us }) => [name, us / 1000]));
  if (lines.length !== steps.length || cpuMs.size !== steps.length)
    throw new Error(`${lines.length} commands ran, of ${cpuMs.size} steps; ${steps.length} were to run once each`);
  const work = sum(cpuMs.values());
  const bound = Math.max(criticalMs(steps, cpuMs), work / queues.SLOTS);
  const rest = machineMs - sum(Object.values(usedMs)) - work;
  const all = Object.entries({ ...usedMs, 'everything else': rest, 'nobody (idle)': idleMs });
  return {
    ...{ seconds: (endedMs - beganMs) / 1000, work: work / 1000, bound: bound / 1000 },
    before: (Math.min(...lines.map((line) => line.beganMs)) - beganMs) / 1000,
    after: (endedMs - Math.max(...lines.map((line) => line.endedMs))) / 1000,
    costs: Object.fromEntries(all.map(([name, ms]) => [name, ms / steps.length])),
  };
}

const sum = (all) => [...all].reduce((total, one) => total + one, 0);

/** What the commands wrote down (burn.py). */
function linesOf(log) {
  if (!existsSync(log)) throw new Error(`no step wrote its line into ${log}`);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [name, ...numbers] = line.split(' ');
    const [us, beganMs, endedMs] = numbers.map(Number);
    return { name, us, beganMs, endedMs };
  });
}
