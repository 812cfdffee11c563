import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inTurn, middle } from './measure.mjs';
import { notTaken, overReferenceAtMost, row } from './rows.mjs';

const GOAL = overReferenceAtMost(15);

/** `true`, started by a worker's runner: bare, in the sandbox of a program that fetches, and in that of a program of a project. */
export async function sandbox({ root, folder, runs }) {
  const require = createRequire(import.meta.url);
  const { createPrograms } = require(join(root, 'dist', 'adapters', 'process', 'programs.js'));
  const programs = createPrograms({ running: join(folder, 'running') });
  const named = ['a program that fetches, in a sandbox', 'a program of a project, in a sandbox'];
  if (programs.noSandbox !== null) return named.map((name) => notTaken(name, 'ms', programs.noSandbox, GOAL));
  const step = (name) => join(folder, 'step', name);
  for (const name of ['work', 'tmp', 'cache', 'layer']) mkdirSync(step(name), { recursive: true });
  const taken = await inTurn(runs ?? 40, {
    bare: () => cost(programs, step('work')),
    fetch: () => cost(programs, step('work'), cellOf(step)),
    project: () => cost(programs, step('work'), cellOf(step, { layer: step('layer') })),
  });
  return ['fetch', 'project'].map((way, at) => {
    const over = middle(taken[way].map((ms, round) => ms - taken.bare[round]));
    const reference = middle(taken.bare);
    return row(`${named[at]}, against a bare one`, middle(taken[way]), 'ms', { reference, goal: GOAL, over });
  });
}

const cellOf = (step, cache = {}) => ({
  network: false,
  tmp: step('tmp'),
  folders: [
    { folder: step('work'), name: step('work') },
    { folder: step('cache'), name: step('cache'), ...cache },
  ],
});

async function cost(programs, cwd, cell) {
  const began = performance.now();
  const env = { PATH: '/usr/bin:/bin' };
  const quiet = { limitMs: 60_000, signal: new AbortController().signal, onOutput: () => undefined };
  const { code } = await programs.run({ argv: ['true'], cwd, env, ...quiet, ...(cell && { cell }) });
  if (code !== 0) throw new Error(`true ended with ${code}`);
  return performance.now() - began;
}
