import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Cell, Command, Exit, Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { GRACE_MS } from '../grace.js';
import { packageRoot } from '../home.js';
import { folderMissing, programMissing, programRefused } from './errors.js';
import { identityOf } from './identity.js';
import { type Spec, STATUS_FD } from './protocol.js';
import { type LastEvent, Runner, type Underway } from './runner.js';
import { findSandbox, type Boxed, type Sandbox } from './sandbox.js';
import { mayAccess } from './toolchain.js';

/** A daemon outside the group may keep the pipe open; the worker waits this long for more output after the group's
 * end. */
const LAST_OUTPUT_MS = 1_000;
/** A daemon may even keep printing; the group's own remaining output is smaller and arrives sooner. */
const LAST_OUTPUT = { atMostMs: 3000, characters: 2 ** 20 } as const;

export interface ProgramsOptions {
  /** Folder for records of running groups: `<home>/running`. */
  readonly running: string;
  /** The compiled runner; default: this package's own. */
  readonly runner?: string;
  readonly graceMs?: number;
  /** A string is the reason why there is no sandbox. Default: detected on this machine. */
  readonly sandbox?: Sandbox | string;
}

let here: Sandbox | string | undefined;

export function createPrograms(options: ProgramsOptions): Programs {
  const worker = identityOf(process.pid);
  const runner = new Runner(options.runner ?? runnerMain());
  const sandbox = options.sandbox ?? (here ??= findSandbox());
  return {
    noSandbox: typeof sandbox === 'string' ? sandbox : null,
    run: async (command) => {
      const cwd = ownName(command);
      if (!existsSync(cwd)) throw fail(folderMissing(cwd));
      const id = randomUUID();
      const argv = typeof command.argv === 'string' ? ['sh', '-eu', '-c', command.argv] : command.argv;
      const box =
        command.cell === undefined || typeof sandbox === 'string' ? null : inside(sandbox, argv, command, command.cell);
      const spec = {
        program: argv[0] ?? '',
        ...(box ?? { argv, env: command.env }),
        cwd,
        boxed: box !== null,
        limitMs: command.limitMs,
        graceMs: options.graceMs ?? GRACE_MS,
        stdin: command.stdin ?? null,
        record: join(options.running, `${id}.json`),
        worker,
      };
      return exitOf(await watched(await runner.run(id, spec), command), spec);
    },
  };
}

const ownName = ({ cwd, cell }: Command): string => outside(cwd, cell);

/** Returns this process's path for a path of the sandbox. */
function outside(path: string, cell: Cell | undefined): string {
  const shown = cell?.folders.findLast(({ name }) => path === name || path.startsWith(`${name}/`));
  return shown === undefined ? path : shown.folder + path.slice(shown.name.length);
}

/** Throws PROGRAM_MISSING or PROGRAM_REFUSED before the start: inside the sandbox a missing program only yields an
 * exit status. */
function inside(sandbox: Sandbox, argv: readonly string[], command: Command, cell: Cell): Boxed {
  mustBeThere(argv[0] ?? '', command);
  return sandbox.wrap(argv, command, cell, STATUS_FD);
}

function mustBeThere(program: string, { cwd, env, cell }: Command): void {
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter).map((folder) => `${folder}/`);
  const found = folders
    .map((folder) => outside(resolve(cwd, folder + program), cell))
    .filter((path) => existsSync(path));
  if (found.length === 0) throw fail(programMissing(program, env['PATH']));
  if (!found.some((path) => mayAccess(path, constants.X_OK))) throw fail(programRefused(program, 'EACCES'));
}

/** The compiled file, because plain Node runs it even if this module runs from source. */
const runnerMain = (): string => join(packageRoot(), 'dist', 'adapters', 'process', 'runner-main.js');

/** Passes on output until the group has ended and its last output was read. */
async function watched({ stdout, stderr, last, stop }: Underway, command: Command): Promise<LastEvent> {
  if (command.signal.aborted) stop();
  command.signal.addEventListener('abort', stop, { once: true });
  try {
    const both = Promise.all([stdout, stderr]);
    const streams = await Promise.race([both, last.then(({ say }) => (say === 'failed' ? null : both))]);
    if (streams === null) return await last;
    const [out, err] = streams.map((stream): Flow => ({ stream, busy: false })) as [Flow, Flow];
    const passed = Promise.all([
      pass(out, (text) => command.onOutput(text, 'stdout')),
      pass(err, (text) => command.onOutput(text, 'stderr')),
    ]);
    await Promise.race([last, failure(passed)]);
    await drain([out, err], passed);
    return await last;
  } catch (error) {
    stop();
    await last.catch(() => undefined); // the group must end before its folder is removed
    throw error;
  } finally {
    command.signal.removeEventListener('abort', stop);
    for (const one of [stdout, stderr]) one.then((socket) => socket.destroy()).catch(() => undefined);
  }
}

/** Never resolves. Rejects if the taker fails, so that the wait for the end stops early. */
const failure = (passed: Promise<unknown>): Promise<never> =>
  new Promise((_, failed) => void passed.catch((error: NodeJS.ErrnoException) => failed(error)));

/** One output stream. `busy` is true while the taker processes a piece. */
interface Flow {
  readonly stream: Readable;
  busy: boolean;
}

/** Passes on output piece by piece; a busy taker makes the program wait. */
async function pass(flow: Flow, take: (text: string) => void | Promise<void>): Promise<void> {
  flow.stream.setEncoding('utf8');
  for await (const text of flow.stream) {
    flow.busy = true;
    await take(text as string);
    flow.busy = false;
  }
}

async function drain(flows: readonly Flow[], passed: Promise<unknown>): Promise<void> {
  const beganMs = performance.now();
  let left: number = LAST_OUTPUT.characters;
  const stop = (): void => flows.forEach(({ stream }) => stream.destroy());
  const give = setTimeout(() => {
    if (flows.some((flow) => flow.busy)) give.refresh();
    else stop();
  }, LAST_OUTPUT_MS);
  const heard = (text: string): void => {
    if ((left -= text.length) < 0) stop();
    else if (performance.now() - beganMs < LAST_OUTPUT.atMostMs) give.refresh();
  };
  flows.forEach(({ stream }) => stream.on('data', heard));
  try {
    await passed.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  } finally {
    clearTimeout(give);
  }
}

function exitOf(last: LastEvent, { program, env }: Pick<Spec, 'program' | 'env'>): Exit {
  if (last.say === 'ended') return { code: last.code, timedOut: last.timedOut };
  throw fail(last.errno === 'ENOENT' ? programMissing(program, env['PATH']) : programRefused(program, last.errno));
}
