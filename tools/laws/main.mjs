// `npm run laws -- --minutes N`: plays the laws of tests/engine/laws in fresh random worlds. `npm test` plays recorded ones.
// Exits with 1 if a law was broken, with 2 if it was typed wrongly.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { tell } from '../start/problem.mjs';
import { minutesOf } from './arguments.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function main(args) {
  const minutes = minutesOf(args);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-laws-'));
  const file = join(folder, 'laws.json');
  try {
    writeFileSync(file, JSON.stringify({ minutes }));
    const { code, errors } = await jest(file);
    const { broken } = JSON.parse(readFileSync(file, 'utf8'));
    if (broken === undefined) process.stderr.write(errors); // the search itself ended early
    return broken === undefined ? code || 1 : Number(broken > 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Standard output is the search's own; what Jest says is kept for the case that there is no answer. */
function jest(file) {
  const argv = [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--config',
    join(root, 'tools', 'laws', 'jest.config.cjs'),
    '--runInBand',
  ];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, SLIPWAY_LAWS: file };
    const child = spawn(process.execPath, argv, { cwd: root, env, stdio: ['ignore', 'inherit', 'pipe'] });
    const errors = [];
    child.stderr.on('data', (piece) => errors.push(piece));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, errors: Buffer.concat(errors).toString('utf8') }));
  });
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = tell(error)),
);
