import { safeForTerminal } from '../model/shown.js';
import type { Io } from './command.js';

const line = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
/** Width of a terminal that does not report one, or reports 0. */
const COLUMNS = 100;
const ROWS = 40;

/** Standard output and error of this process. Colours only on a terminal, and not where NO_COLOR is set. */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  // `slipway … | head` closes stdout early. That is no failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const live = stdout.isTTY === true && env['TERM'] !== 'dumb';
  const colour = live && !env['NO_COLOR'];
  return {
    out: (text) => void stdout.write(line(safeForTerminal(text, colour))),
    err: (text) => void stderr.write(line(safeForTerminal(text, colour))),
    write: (text) => void stdout.write(text),
    terminal: {
      live,
      get columns() {
        return stdout.columns || COLUMNS;
      },
      get rows() {
        return stdout.rows || ROWS;
      },
      colour,
    },
  };
}

/** From now on the first Ctrl-C aborts the signal, and the second one ends the process as usual. TERM aborts it too, and ends the process
 * a second later: `npm start` sends it on to its child, which a process group has reached already. */
export function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  const onTerm = (): void => {
    controller.abort();
    setTimeout(() => process.off('SIGTERM', onTerm), 1000).unref();
  };
  process.on('SIGTERM', onTerm);
  return controller.signal;
}

/** Returns true only for yes. Null without a terminal. */
export async function confirm(question: string): Promise<boolean | null> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return null;
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: stdin, output: stdout });
  try {
    return /^y(es)?$/i.test((await asking.question(question)).trim());
  } finally {
    asking.close();
  }
}

/** Ends the process once all that was written has left it. */
export async function exit(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
  process.exit(code);
}
