import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Cell, Command, Exit, Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { GRACE_MS } from '../grace.js';
import { packageRoot } from '../home.js';
import { folderMissing, programMissing, programRefused } from './errors.js';
import { identityOf } from './identity.js';
import { type Spec, STATUS_FD } from './protocol.js';
import { type LastWord, Runner, type Underway } from './runner.js';
import { findSandbox, type Sandbox } from './sandbox.js';

/** A daemon that left the group may keep our pipe open: after the group's end we wait no longer than this for more. */
const LAST_OUTPUT_MS = 1_000;
/** It may even go on to print: what the group itself left in the pipes is less, and comes sooner. */
const LAST_OUTPUT = { atMostMs: 3000, characters: 2 ** 20 } as const;

export interface ProgramsOptions {
  /** Folder for records of running groups: `<home>/running`. */
  readonly running: string;
  /** The compiled runner; default: this package's own. */
  readonly runner?: string;
  readonly graceMs?: number;
  /** A sentence: why there is none. Default: what works here. */
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
      const boxed = command.cell !== undefined && typeof sandbox !== 'string';
      const spec = {
        program: argv[0] ?? '',
        argv: boxed ? inside(sandbox, argv, command, command.cell) : argv,
        cwd,
        boxed,
        env: command.env,
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

/** The working folder by its own name. */
const ownName = ({ cwd, cell }: Command): string => outside(cwd, cell);

/** A path of the sandbox as this process knows it. */
function outside(path: string, cell: Cell | undefined): string {
  const shown = cell?.folders.findLast(({ name }) => path === name || path.startsWith(`${name}/`));
  return shown === undefined ? path : shown.folder + path.slice(shown.name.length);
}

/** Throws PROGRAM_MISSING or PROGRAM_REFUSED, as starting it without a sandbox would: the sandbox itself only ends with a status. */
function inside(sandbox: Sandbox, argv: readonly string[], command: Command, cell: Cell): readonly string[] {
  mustBeThere(argv[0] ?? '', command);
  return sandbox.wrap(argv, command.cwd, cell, STATUS_FD);
}

function mustBeThere(program: string, { cwd, env, cell }: Command): void {
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter).map((folder) => `${folder}/`);
  const found = folders
    .map((folder) => outside(resolve(cwd, folder + program), cell))
    .filter((path) => existsSync(path));
  if (found.length === 0) throw fail(programMissing(program, env['PATH']));
  if (!found.some(mayRun)) throw fail(programRefused(program, 'EACCES'));
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Always the compiled file: plain Node runs it, also where this module comes from its source. */
const runnerMain = (): string => join(packageRoot(), 'dist', 'adapters', 'process', 'runner-main.js');

/** Hands on what the program prints, until its group has ended and the last of it was read. */
async function watched({ stdout, stderr, last, stop }: Underway, command: Command): Promise<LastWord> {
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
    await last.catch(() => undefined); // the group ends before its folder is taken away
    throw error;
  } finally {
    command.signal.removeEventListener('abort', stop);
    for (const one of [stdout, stderr]) one.then((socket) => socket.destroy()).catch(() => undefined);
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

/** Waits for the last output as long as some comes that the group can have left. */
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

function exitOf(last: LastWord, { program, env }: Pick<Spec, 'program' | 'env'>): Exit {
  if (last.say === 'ended') return { code: last.code, timedOut: last.timedOut };
  throw fail(last.errno === 'ENOENT' ? programMissing(program, env['PATH']) : programRefused(program, last.errno));
}
