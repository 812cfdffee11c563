import { fail } from '../../model/failure.js';
import type { Command, Exit, Programs } from '../ports.js';
import type { ExecOptions, Work } from '../work.js';
import type { Confine } from './confine.js';
import { cancelled, commandFailed, limitReached, outputTooLong } from './errors.js';
import type { StepLog } from './ports.js';

const LONGEST_ANSWER_BYTES = 1024 * 1024;

export interface ExecFacts {
  readonly programs: Programs;
  readonly log: StepLog;
  readonly signal: AbortSignal;
  readonly folder: string;
  /** If absent, programs see what the worker sees. */
  readonly confine?: Confine;
  readonly env: () => Record<string, string>;
  readonly limitMs: number;
  readonly leftMs: () => number;
}
type Argv = readonly string[] | string;
type Take = Command['onOutput'];

export function createExec(facts: ExecFacts): Pick<Work, 'exec' | 'must' | 'capture'> {
  const toLog: Take = (text) => {
    facts.log.write(text);
    return facts.log.ready();
  };
  const exec = (argv: Argv, options?: ExecOptions): Promise<Exit> => run(facts, argv, toLog, options);
  return {
    exec,
    must: async (argv, options) => succeeded(facts, argv, await exec(argv, options)),
    capture: async (argv, options) => {
      const answer = collector(argv);
      const take: Take = (text, stream) => (stream === 'stdout' ? answer.add(text) : toLog(text, stream));
      succeeded(facts, argv, await run(facts, argv, take, options));
      return answer.text();
    },
  };
}

const asItIs: Confine = (command) => command;

async function run(facts: ExecFacts, argv: Argv, onOutput: Take, options: ExecOptions = {}): Promise<Exit> {
  if (facts.signal.aborted) throw fail(cancelled(nameOf(argv)));
  const failedBefore = facts.log.firstError().length > 0;
  const command: Command = {
    argv,
    cwd: options.cwd ?? facts.folder,
    env: options.env ?? facts.env(),
    limitMs: Math.max(1, facts.leftMs()),
    signal: facts.signal,
    onOutput,
    stdin: options.stdin,
  };
  const { confine = asItIs } = options.unconfined ? {} : facts;
  const exit = await facts.programs.run(confine(command, options.access, options.folders));
  if (facts.signal.aborted) throw fail(cancelled(nameOf(argv)));
  if (exit.timedOut) throw fail(limitReached(nameOf(argv), facts.limitMs, facts.log.tail()));
  if (exit.code === 0 && !failedBefore) facts.log.forgetError();
  return exit;
}

function succeeded(facts: ExecFacts, argv: Argv, exit: Exit): void {
  if (exit.code !== 0) throw fail(commandFailed(nameOf(argv), exit.code, facts.log.tail()));
}

function collector(argv: Argv): { add(text: string): void; text(): string } {
  let text = '';
  return {
    add(piece) {
      text += piece;
      if (text.length > LONGEST_ANSWER_BYTES) throw fail(outputTooLong(nameOf(argv), LONGEST_ANSWER_BYTES));
    },
    text: () => text,
  };
}

/** Shortens a command for messages; the log has all of it. */
function nameOf(argv: Argv): string {
  const text = typeof argv === 'string' ? argv.trim().split('\n')[0]! : argv.slice(0, 3).join(' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
