import { execFile } from 'node:child_process';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a short program to its end. A missing program yields code 127. */
export function run(program: string, args: readonly string[], limitMs = 30_000, env = process.env): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { encoding: 'utf8', timeout: limitMs, env, maxBuffer: 1 << 24 },
      (error, stdout, stderr) => resolve({ code: codeOf(error), stdout, stderr }),
    );
  });
}

function codeOf(error: { code?: unknown } | null): number {
  if (error === null) return 0;
  return typeof error.code === 'number' ? error.code : error.code === 'ENOENT' ? 127 : 1;
}
