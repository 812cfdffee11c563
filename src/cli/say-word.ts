import { fail } from '../model/failure.js';
import type { Word } from '../model/words.js';
import type { ExitCode, Io, Option } from './command.js';
import { findRun, requireClient } from './find-run.js';
import type { Ports } from './ports.js';

/** Options of every command that says a word. */
export const WORD_OPTIONS: readonly Option[] = [
  { flags: '--run <run>', help: 'workflow id or first digits of a run id (default: the newest)' },
  { flags: '--reason <text>', help: 'why; kept in the audit' },
  { flags: '--by <name>', help: 'who says so (default: $SLIPWAY_BY, else your login)' },
];

type Options = Readonly<Record<string, string | boolean | undefined>>;
const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Returns the name of the sender: `--by`, else SLIPWAY_BY, else the user of the shell. */
export const speaker = (options: Options, { env }: Ports): string | undefined =>
  text(options['by']) ?? env['SLIPWAY_BY'] ?? env['USER'] ?? env['LOGNAME'];

/** The word with who says it and why. */
export function signed(word: Word, options: Options, ports: Ports): Word {
  const by = speaker(options, ports);
  const reason = text(options['reason']);
  return { ...word, ...(reason !== undefined && { reason }), ...(by !== undefined && { by }) } as Word;
}

/** Says it to the run that the person means, and prints what became of it; a refusal is thrown as the problem it is. */
export async function sayWord(word: Word, options: Options, io: Io, ports: Ports): Promise<ExitCode> {
  const client = await requireClient(ports);
  try {
    const { workflowId, run } = await findRun(client, text(options['run']));
    const answer = await client.say(workflowId, signed(word, options, ports), run);
    if (!answer.ok) throw fail(answer.problem);
    io.out(`${workflowId}: ${answer.did}`);
    for (const step of answer.steps.length > 1 ? answer.steps : []) io.out(`  ${step}`);
    return 0;
  } finally {
    await client.close();
  }
}
