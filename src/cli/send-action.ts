import { fail } from '../model/failure.js';
import type { Action } from '../model/actions.js';
import type { ExitCode, Io, Option } from './command.js';
import { findRun, requireClient } from './find-run.js';
import type { Ports } from './ports.js';

/** Options of every command that sends an action. */
export const ACTION_OPTIONS: readonly Option[] = [
  { flags: '--run <run>', help: 'name, workflow id or first digits of a run id (default: the newest)' },
  { flags: '--reason <text>', help: 'why; kept in the audit' },
  { flags: '--by <name>', help: 'who sends it (default: $SLIPWAY_BY, else your login)' },
];

type Options = Readonly<Record<string, string | boolean | undefined>>;
const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Returns the name of the sender: `--by`, else SLIPWAY_BY, else the user of the shell. */
export const sender = (options: Options, { env }: Ports): string | undefined =>
  text(options['by']) ?? env['SLIPWAY_BY'] ?? env['USER'] ?? env['LOGNAME'];

/** Returns the action with its sender and reason. */
export function signed(action: Action, options: Options, ports: Ports): Action {
  const by = sender(options, ports);
  const reason = text(options['reason']);
  return { ...action, ...(reason !== undefined && { reason }), ...(by !== undefined && { by }) } as Action;
}

/** Sends the action to the run that the options name, and prints its answer. Throws the problem of a refusal. */
export async function sendAction(action: Action, options: Options, io: Io, ports: Ports): Promise<ExitCode> {
  await using client = await requireClient(ports);
  const { workflowId, run } = await findRun(client, text(options['run']));
  const answer = await client.act(workflowId, signed(action, options, ports), run);
  if (!answer.ok) throw fail(answer.problem);
  io.out(`${workflowId}: ${answer.did}`);
  for (const step of answer.steps.length > 1 ? answer.steps : []) io.out(`  ${step}`);
  return 0;
}
