import { spawn } from 'node:child_process';
import { interrupted, partFailed } from './problem.mjs';

/** Set by Ctrl-C: the terminal sends it to our children too, so we let the one at work end and start no other. */
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (stopped = true));
export const stopIfAsked = () => {
  if (stopped) throw interrupted();
};

const KEPT_LINES = 30;

/** Runs quietly to its end; where it fails, its last lines are shown. Answers its output. */
export async function quietly(title, argv, { cwd, env, onLine = () => {} } = {}) {
  const lines = [];
  const child = spawn(argv[0], argv.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const take = (text) => {
    for (const line of text.split(/[\r\n]+/).filter(Boolean)) {
      lines.push(line);
      onLine(line);
    }
    lines.splice(0, Math.max(0, lines.length - 2000));
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const code = await ended(child);
  stopIfAsked();
  if (code !== 0) throw partFailed(title, argv.join(' ').slice(0, 200), code, lines.slice(-KEPT_LINES));
  return lines.join('\n');
}

/** Runs with our own terminal and answers its exit status. A terminal sends Ctrl-C to the child too; TERM reaches us alone. */
export async function openly(argv, { cwd, env } = {}) {
  stopIfAsked();
  const child = spawn(argv[0], argv.slice(1), { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
  const end = () => child.kill('SIGTERM');
  process.on('SIGTERM', end);
  return ended(child).finally(() => process.off('SIGTERM', end));
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.code === 'ENOENT' ? 127 : 126));
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
