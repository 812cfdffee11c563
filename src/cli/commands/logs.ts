import type { LogReader, Store } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { records, type Started } from '../../model/run-folder.js';
import type { CommandSpec, ExitCode, Io } from '../command.js';
import { noAttempt, noLog } from '../errors.js';
import { type Logs, logsOf, meantStep, newestRun } from '../find-log.js';
import type { Ports } from '../ports.js';
import { createLogView } from '../render/log-view.js';
import { plain } from '../render/paint.js';
import { storedPlan } from '../stored-plan.js';

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
    const started = await newestRun(store, options['run'] === undefined ? undefined : String(options['run']));
    if (args['step'] === undefined) return listLogs(store, started.run, io);
    const tries = options['follow'] === true ? TRIES_TO_FIND : 1;
    const found = await findLog(store, started, args['step'], io, tries);
    const only = options['attempt'] === undefined ? null : Number(options['attempt']);
    const attempt = only ?? [...found.attempts.keys()].at(-1)!;
    const log = found.attempts.get(attempt);
    if (log === undefined) {
      throw fail(noAttempt(found.step, String(options['attempt']), [...found.attempts.keys()]));
    }
    const printer = {
      store,
      reader: await ports.logs(),
      io,
      interrupt: ports.interrupt(),
      raw: options['raw'] === true,
    };
    if (options['follow'] === true) return follow(printer, found, [attempt, log], only !== null);
    return print(printer, log, { follow: false });
  },
};

interface FoundLog {
  readonly run: string;
  readonly step: string;
  readonly attempts: Logs;
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
    io.out(attempts.size === 1 ? plain(step) : `${plain(step)}  (${attempts.size} attempts)`);
  return 0;
}

/** A reused result was made by an earlier run: what it printed is that run's log. */
async function findLog(store: Store, started: Started, asked: string, io: Io, tries: number): Promise<FoundLog> {
  const { run } = started;
  const here = await logsOf(store, run);
  const folder = records.result(run, '');
  const known = [...here.keys(), ...(await store.list(folder)).map((name) => name.slice(folder.length))];
  const isKnown = known.some((step) => step.includes(asked));
  if (tries > 1 && !isKnown) {
    await new Promise((again) => setTimeout(again, LOOK_AGAIN_MS));
    return findLog(store, started, asked, io, tries - 1);
  }
  if (!isKnown) {
    const plan = await storedPlan(started.plan, { store: async () => store });
    const isPlanned = plan?.steps.some(({ id }) => id.includes(asked));
    throw fail(noLog(asked, run, known, isPlanned));
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
async function follow(printer: Printer, found: FoundLog, first: Followed, only: boolean): Promise<ExitCode> {
  for (let one: Followed | null = first; one !== null;) {
    const over = new AbortController();
    const watching = watch(printer, found, one[0], over);
    await print(printer, one[1], { follow: true, signal: over.signal });
    if (only || printer.interrupt.aborted) over.abort();
    const next = await watching;
    one = only ? null : next;
  }
  return 0;
}
/** The number of an attempt, and its log. */
type Followed = readonly [number, string];

/** Looks at the store until nothing more can come of an attempt: another one began, or the step or the run ended. Returns the other
 * attempt. */
async function watch(
  { store, interrupt }: Printer,
  { run, step }: FoundLog,
  attempt: number,
  over: AbortController,
): Promise<Followed | null> {
  while (!interrupt.aborted && !over.signal.aborted) {
    const logs = (await logsOf(store, run, step)).get(step) ?? new Map<number, string>();
    const another = [...logs].find(([number]) => number > attempt) ?? null;
    const ended =
      (await store.read((await readRounds(store, run)).result(step))) ?? (await store.read(records.status(run)));
    if (another !== null || ended !== null) {
      over.abort();
      return another;
    }
    await new Promise((again) => setTimeout(again, LOOK_AGAIN_MS));
  }
  over.abort();
  return null;
}
