import { spawn } from 'node:child_process';

/** Runs a program to its end and answers how long it took, in milliseconds. Throws when it fails. */
export function timed(argv, options = {}) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], ...options });
    const said = [];
    child.stderr?.on('data', (piece) => said.push(piece));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - start);
      else reject(new Error(`${argv.join(' ')} ended with ${code}\n${Buffer.concat(said).toString('utf8')}`));
    });
  });
}

/** Median of some runs, one after another; the first one is not counted. */
export async function median(runs, once) {
  const times = [];
  for (let run = 0; run <= runs; run++) {
    const ms = await once(run);
    if (run > 0) times.push(ms);
  }
  return middle(times);
}

export const middle = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
