import type { LogReader, Store } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import type { CommandSpec, ExitCode, Io } from '../command.js';
import { noAttempt } from '../errors.js';
import { logsOf, meantStep, newestRun } from '../find-log.js';
import type { Ports } from '../ports.js';
import { createLogView } from '../render/log-view.js';
import { plain } from '../render/paint.js';

const LOOK_AGAIN_MS = 300;
/** Looks for the log of a step that has just started, for 3 s in total. */
const TRIES_TO_FIND = 10;

export const logs: CommandSpec<Ports> = {
  name: 'logs',
  summary: 'what a step printed; read from the store, also while it runs',
  arguments: [{ name: '[step]', help: 'id of a step, or a part of it (default: list the steps that have a log)' }],
  options: [
    { flags: '-f, --follow', help: 'go on until the step has ended' },
    { flags: '--run <run>', help: 'name, workflow id or first digits of a run id (default: the newest)' },
    { flags: '--raw', help: 'the bytes as programs printed them, escape sequences included' },
    { flags: '--attempt <number>', help: 'one attempt only (default: the last)' },
  ],
  async run({ args, options }, io, ports) {
    const store = await ports.store();
    const { run } = await newestRun(store, options['run'] === undefined ? undefined : String(options['run']));
    if (args['step'] === undefined) return listLogs(store, run, io);
    const tries = options['follow'] === true ? TRIES_TO_FIND : 1;
    const found = await findLog(store, run, args['step'], io, tries);
    const attempt = options['attempt'] === undefined ? null : Number(options['attempt']);
    if (attempt !== null && !found.attempts.includes(attempt)) {
      throw fail(noAttempt(found.step, String(options['attempt']), found.attempts));
    }
    const printer = {
      store,
      reader: await ports.logs(),
      io,
      interrupt: ports.interrupt(),
      raw: options['raw'] === true,
    };
    const first = attempt ?? found.attempts.at(-1)!;
    if (options['follow'] === true) return follow(printer, found, first, attempt !== null);
    return print(printer, records.log(found.run, found.step, first), { follow: false });
  },
};

interface FoundLog {
  readonly run: string;
  readonly step: string;
  readonly attempts: readonly number[];
}
interface Printer {
  readonly store: Store;
  readonly reader: LogReader;
  readonly io: Io;
  readonly interrupt: AbortSignal;
  /** The bytes as programs printed them. */
  readonly raw: boolean;
}

async function listLogs(store: Store, run: string, io: Io): Promise<ExitCode> {
  const all = [...(await logsOf(store, run))];
  if (all.length === 0) io.err(`Run ${run} has no logs yet.`);
  for (const [step, attempts] of all)
    io.out(attempts.length === 1 ? plain(step) : `${plain(step)}  (${attempts.length} attempts)`);
  return 0;
}

/** A reused result was made by an earlier run: what it printed is that run's log. */
async function findLog(store: Store, run: string, asked: string, io: Io, tries: number): Promise<FoundLog> {
  const here = await logsOf(store, run);
  const folder = records.result(run, '');
  const known = [...here.keys(), ...(await store.list(folder)).map((name) => name.slice(folder.length))];
  if (tries > 1 && !known.some((step) => step.includes(asked))) {
    await new Promise((again) => setTimeout(again, LOOK_AGAIN_MS));
    return findLog(store, run, asked, io, tries - 1);
  }
  const step = meantStep([...new Set(known)], asked, run);
  const attempts = here.get(step);
  if (attempts) return { run, step, attempts };
  const result = (await readRounds(store, run)).result(step);
  const maker = (await store.read<Result>(result))?.made.run ?? run;
  const there = (await logsOf(store, maker)).get(step);
  if (!there) throw fail(noAttempt(step, 'any', []));
  io.err(`Reused: run ${maker.slice(0, 18)} made it; this is its log.`);
  return { run: maker, step, attempts: there };
}

async function print(
  { reader, io, interrupt, raw }: Printer,
  prefix: string,
  options: { follow: boolean; signal?: AbortSignal },
): Promise<ExitCode> {
  const view = createLogView((text) => io.write(text));
  for await (const piece of reader.pieces(prefix, options)) {
    if (interrupt.aborted) break;
    if (raw) io.write(piece.text);
    else view.push(piece);
  }
  view.end();
  return 0;
}

/** Goes on from attempt to attempt until the step has a result, or the run has ended, or Ctrl-C. */
async function follow(printer: Printer, { run, step }: FoundLog, first: number, only: boolean): Promise<ExitCode> {
  for (let attempt = first; ; attempt += 1) {
    const over = new AbortController();
    const watching = watch(printer, { run, step, attempt }, over);
    await print(printer, records.log(run, step, attempt), { follow: true, signal: over.signal });
    if (only || printer.interrupt.aborted) over.abort();
    if ((await watching) !== 'another attempt' || only) return 0;
  }
}

/** Looks at the store until nothing more can come of an attempt: another one began, or the step or the run ended. */
async function watch(
  { store, interrupt }: Printer,
  { run, step, attempt }: { run: string; step: string; attempt: number },
  over: AbortController,
): Promise<'another attempt' | 'ended'> {
  const next = `${records.log(run, step, attempt + 1)}/`;
  while (!interrupt.aborted && !over.signal.aborted) {
    const another = (await store.list(next)).length > 0;
    const ended =
      (await store.read((await readRounds(store, run)).result(step))) ?? (await store.read(records.status(run)));
    if (another || ended !== null) {
      over.abort();
      return another ? 'another attempt' : 'ended';
    }
    await new Promise((again) => setTimeout(again, LOOK_AGAIN_MS));
  }
  over.abort();
  return 'ended';
}
