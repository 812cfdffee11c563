import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toolsBin } from '../home.js';

/** Shorter than planning may take on a worker. */
const LIMIT_MS = 8 * 60_000;
const MARK = 'slipway:';

export interface Ran<T> {
  /** Lines of JSON that the script printed behind `slipway:`. */
  readonly lines: readonly T[];
  /** Null: it ended well. Else its exit status, signal, or why it was not started. */
  readonly fault: string | null;
  /** The last lines of stderr, without addresses: those may hold passwords. */
  readonly words: readonly string[];
}

/** On Linux the script ends with a MemoryError above 2 GiB of data. */
const LIMIT_MEMORY = `import resource as r
hard = r.getrlimit(r.RLIMIT_DATA)[1]
r.setrlimit(r.RLIMIT_DATA, (hard if 0 <= hard < 2**31 else 2**31, hard))
`;

/** Runs a script of ours in the Python of the tools. */
export async function runPython<T>(script: string, input: object, env = process.env): Promise<Ran<T>> {
  const own = join(toolsBin(), 'python');
  const how = { stdio: 'pipe', timeout: LIMIT_MS, env } as const;
  const child = spawn(existsSync(own) ? own : 'python3', ['-P', '-c', LIMIT_MEMORY + script], how);
  let words = '';
  child.stderr.on('data', (text: Buffer) => (words = `${words}${text.toString()}`.slice(-4000)));
  const ended = new Promise<string | null>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('close', (code, signal) => done(code === 0 ? null : (signal ?? `status ${code}`)));
  });
  child.stdin.on('error', () => undefined); // its exit status says why it stopped reading
  child.stdin.end(JSON.stringify(input));
  const lines: T[] = [];
  for await (const text of createInterface({ input: child.stdout }))
    if (text.startsWith(MARK)) lines.push(JSON.parse(text.slice(MARK.length)) as T);
  return { lines, fault: await ended, words: withoutAddresses(words) };
}

const withoutAddresses = (words: string): readonly string[] =>
  words
    .trim()
    .split('\n')
    .slice(-3)
    .map((line) => line.replace(/\S*(:\/\/|@)\S*/g, '…').slice(0, 300));
