import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command, Exit, Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { GRACE_MS } from '../grace.js';
import { packageRoot } from '../home.js';
import { folderMissing, programMissing, programRefused, runnerLost } from './errors.js';
import { identityOf, signalGroup } from './identity.js';
import type { Report, Spec } from './protocol.js';

/** A daemon that left the group may keep our pipe open: after the group's end we read no longer than this. */
const LAST_OUTPUT_MS = 1_000;

export interface ProgramsOptions {
  /** Folder for records of running groups: `<home>/running`. */
  readonly running: string;
  /** The compiled runner; default: this package's own. */
  readonly runner?: string;
  readonly graceMs?: number;
}

export function createPrograms(options: ProgramsOptions): Programs {
  const worker = identityOf(process.pid);
  return {
    run: async (command) => {
      if (!existsSync(command.cwd)) throw fail(folderMissing(command.cwd));
      const argv = typeof command.argv === 'string' ? ['sh', '-eu', '-c', command.argv] : command.argv;
      const spec: Spec = {
        argv,
        cwd: command.cwd,
        env: command.env,
        limitMs: command.limitMs,
        graceMs: options.graceMs ?? GRACE_MS,
        stdin: command.stdin ?? null,
        record: join(options.running, `${randomUUID()}.json`),
        worker,
      };
      return await underRunner(options.runner ?? runnerMain(), spec, command);
    },
  };
}

/** Always the compiled file: plain Node runs it, also where this module comes from its source. */
const runnerMain = (): string => join(packageRoot(), 'dist', 'adapters', 'process', 'runner-main.js');

async function underRunner(runner: string, spec: Spec, command: Command): Promise<Exit> {
  const child = spawn(process.execPath, [runner], {
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((done, failed) => child.once('exit', () => done()).once('error', failed));
  const stop = (): void => void child.stdin!.destroy();
  child.stdin!.on('error', () => undefined);
  child.stdin!.write(`${JSON.stringify(spec)}\n`);
  if (command.signal.aborted) child.stdin!.end();
  command.signal.addEventListener('abort', stop, { once: true });
  try {
    const out: Flow = { stream: child.stdout!, busy: false };
    const err: Flow = { stream: child.stderr!, busy: false };
    const passed = Promise.all([
      pass(out, (text) => command.onOutput(text, 'stdout')),
      pass(err, (text) => command.onOutput(text, 'stderr')),
    ]);
    const reports = readReports(child.stdio[3] as Readable);
    await Promise.race([gone, failure(passed)]);
    await drain([out, err], passed);
    return exitOf(await reports, spec);
  } catch (error) {
    stop();
    await gone.catch(() => undefined); // the group ends before its folder is taken away
    throw error;
  } finally {
    command.signal.removeEventListener('abort', stop);
  }
}

/** Settles only when the taker fails: then there is no point in going on. */
const failure = (passed: Promise<unknown>): Promise<never> =>
  new Promise((_, failed) => void passed.catch((error: NodeJS.ErrnoException) => failed(error)));

/** One of the program's streams, and whether its taker is busy with a piece of it. */
interface Flow {
  readonly stream: Readable;
  busy: boolean;
}

/** Hands on what is printed, piece by piece; the program waits while the taker is busy. */
async function pass(flow: Flow, take: (text: string) => void | Promise<void>): Promise<void> {
  flow.stream.setEncoding('utf8');
  for await (const text of flow.stream) {
    flow.busy = true;
    await take(text as string);
    flow.busy = false;
  }
}

/** Waits for the last output as long as some comes. */
async function drain(flows: readonly Flow[], passed: Promise<unknown>): Promise<void> {
  const give = setTimeout(() => {
    if (flows.some((flow) => flow.busy)) give.refresh();
    else flows.forEach((flow) => flow.stream.destroy());
  }, LAST_OUTPUT_MS);
  flows.forEach((flow) => flow.stream.on('data', () => give.refresh()));
  try {
    await passed.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  } finally {
    clearTimeout(give);
  }
}

async function readReports(stream: Readable): Promise<Report[]> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const piece of stream) text += piece as string;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Report);
}

function exitOf(reports: readonly Report[], spec: Spec): Exit {
  const last = reports.at(-1);
  const program = spec.argv[0] ?? '';
  if (last?.say === 'ended') return { code: last.code, timedOut: last.timedOut };
  if (last?.say === 'failed') {
    throw fail(
      last.errno === 'ENOENT' ? programMissing(program, spec.env['PATH']) : programRefused(program, last.errno),
    );
  }
  if (last?.say === 'started') signalGroup(last.pgid, 'SIGKILL');
  throw fail(runnerLost(program));
}
