import { spawn } from 'node:child_process';
import { endedChildrenMs } from './cpu.mjs';

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

/** Rounds of several ways, taken in turn, so that other work on the machine slows all of them. The first round is not counted.
 * @returns the answers of each way */
export async function inTurn(runs, ways) {
  const rounds = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let run = 0; run <= runs; run++)
    for (const [name, way] of Object.entries(ways)) {
      const done = await way(run);
      if (run > 0) rounds[name].push(done);
    }
  return rounds;
}

/** Runs a program to its end and answers how long it took, and the CPU that it used, both in ms. */
export async function costOf(argv, options) {
  const before = endedChildrenMs();
  const wall = await timed(argv, options);
  return { wall, cpu: endedChildrenMs() - before };
}

export const middle = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** Of CPU times, which the kernel counts in ticks of 10 ms: a mean is finer than a median. */
export const mean = (times) => times.reduce((sum, one) => sum + one, 0) / times.length;
