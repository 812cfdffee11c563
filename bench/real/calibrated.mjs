import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The command of a step as a shell line; how many turns make a millisecond is measured once. */
export function calibrated(root, at, note) {
  const python = realpathSync(join(root, '.tools', 'bin', 'python3'));
  const script = join(root, 'bench', 'real', 'burn.py');
  const argv = [python, '-I', '-S', script];
  const log = join(at, 'calibration');
  const usedMs = (turns) => {
    const all = Array.from({ length: 5 }, () => {
      rmSync(log, { force: true });
      execFileSync(argv[0], [...argv.slice(1), String(turns), log, 'x']);
      return Number(readFileSync(log, 'utf8').split(' ')[1]) / 1000;
    });
    return Math.min(...all);
  };
  const TURNS = 10_000_000;
  const start = usedMs(0);
  const turnsPerMs = TURNS / (usedMs(TURNS) - start);
  note(`real: a command takes ${start.toFixed(1)} ms to start, then ${turnsPerMs.toFixed(0)} turns a millisecond`);
  return (log) =>
    ({ name, cpuMs }) =>
      `${argv.join(' ')} ${Math.round((cpuMs - start) * turnsPerMs)} ${log} ${name}`;
}
