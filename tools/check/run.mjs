import { spawn } from 'node:child_process';

/** Runs a program from `cwd` with `env` added to ours. Returns exit code, the signal that ended it or null, output and milliseconds; `show` passes the output on as it comes. */
export function run(argv, cwd, { show = false, env = {} } = {}) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', show ? 'ignore' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    const output = [];
    child.stdout?.on('data', (piece) => output.push(piece));
    child.stderr?.on('data', (piece) => output.push(piece));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const text = Buffer.concat(output).toString('utf8');
      resolve({ code: code ?? 1, signal, output: text, ms: performance.now() - start });
    });
  });
}
