import type { ChildProcess } from 'node:child_process';
import { fail, type Problem, SlipwayFailure } from '../../model/failure.js';

/** Functions by name that the other process may call. */
export type Functions = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

interface Said {
  readonly no: number;
  /** A question. Absent: the answer to one. */
  readonly call?: string;
  readonly args?: readonly unknown[];
  readonly value?: unknown;
  readonly problems?: readonly Problem[];
  readonly error?: string;
}

/** A file full of mistakes must not fill the memory of the process that asked. */
const MOST_PROBLEMS = 500;

/** Answers the calls that come over a channel. Returns what calls a function of the other process; coded problems cross
 * the channel. A call stays open if that process ends first. */
export function openRpc(channel: ChildProcess | NodeJS.Process, mine: Functions) {
  const open = new Map<number, (answer: Said) => void>();
  let asked = 0;
  const send = (said: Said): unknown => channel.connected && channel.send!(said, undefined, {}, () => undefined);
  (channel as ChildProcess).on('message', (message) => {
    const said = message as Said;
    if (said.call !== undefined) return void answerTo(said, mine).then(send);
    open.get(said.no)?.(said);
    open.delete(said.no);
  });
  return (call: string, ...args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const no = asked++;
      open.set(no, ({ value, problems, error }) => {
        if (problems) reject(fail(problems));
        else if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
      send({ no, call, args });
    });
}

async function answerTo({ no, call, args }: Said, mine: Functions): Promise<Said> {
  try {
    return { no, value: await mine[call!]!(...(args as never[])) };
  } catch (error) {
    if (error instanceof SlipwayFailure) return { no, problems: error.problems.slice(0, MOST_PROBLEMS) };
    return { no, error: String((error as Error).stack ?? error) };
  }
}
