import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TICK_MS = 10;

/** Milliseconds of CPU that the services of a home have used so far, without their children's. */
export function costs({ SLIPWAY_HOME }) {
  const { services } = JSON.parse(readFileSync(join(SLIPWAY_HOME, 'services.json'), 'utf8'));
  const of = (name) => usedMs(services[name].pid);
  return {
    'the server': of('temporal'),
    'the worker of workflows': of('worker-workflows'),
    'the worker of steps': of('worker-linux-x86_64'),
  };
}

function usedMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
