import { fail } from '../../model/failure.js';
import type { RerunPreview } from '../../model/actions.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { stepOrAll } from '../errors.js';
import { findRun, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { sendAction, ACTION_OPTIONS } from '../send-action.js';

export const retry: CommandSpec<Ports> = {
  name: 'retry',
  summary: 'try a held step again, with a new budget; or let a step and all that stands on it run again',
  arguments: [{ name: '[step]', help: 'id of the step, as `slipway status` shows it' }],
  options: [
    { flags: '--all-failed', help: 'every step that is held' },
    { flags: '--from <step>', help: 'this step and all that stands on it, even where done; asks first on a terminal' },
    { flags: '--preview', help: 'with --from: only tell what would be reused, run again, invalidated' },
    { flags: '--yes', help: 'with --from: do not ask' },
    { flags: '--json', help: 'with --preview: the same as JSON' },
    ...ACTION_OPTIONS,
  ],
  async run({ args, options }, io, ports) {
    const { step } = args;
    const ways = [step !== undefined, options['allFailed'] === true, typeof options['from'] === 'string'];
    if (ways.filter(Boolean).length !== 1) throw fail(stepOrAll());
    if (typeof options['from'] === 'string') return retryFrom(options['from'], options, io, ports);
    return sendAction({ action: 'retry', ...(step !== undefined && { step }) }, options, io, ports);
  },
};

async function retryFrom(step: string, options: Input['options'], io: Io, ports: Ports): Promise<ExitCode> {
  if (options['yes'] !== true || options['preview'] === true) {
    const preview = await previewOf(step, options['run'], ports);
    if (!preview.ok) throw fail(preview.problem);
    if (options['json'] === true) io.out(JSON.stringify(preview));
    else io.out(rerunLines(preview).join('\n'));
    if (options['preview'] === true) return 0;
    if ((await ports.confirm('Go on? [y/N] ')) === false) {
      io.err('Nothing was sent to the run.');
      return 0;
    }
  }
  return sendAction({ action: 'retry', from: step }, options, io, ports);
}

async function previewOf(step: string, asked: string | boolean | undefined, ports: Ports): Promise<RerunPreview> {
  await using client = await requireClient(ports);
  const { workflowId, run } = await findRun(client, typeof asked === 'string' ? asked : undefined);
  return await client.previewRerun(workflowId, step, run);
}

/** Reused results are many, and of little interest: the first are named. */
const REUSED_TOLD = 10;

/** Returns the preview of `retry --from`. */
function rerunLines(preview: Extract<RerunPreview, { ok: true }>): readonly string[] {
  const { from, reused, again, stopped, invalidated } = preview;
  const behind = again.filter((step) => step !== from);
  return [
    'run again:',
    `  ${from}  whatever is known of it`,
    ...behind.map((step) => `  ${step}  unless what it uses comes out the same`),
    ...section('stopped first:', stopped),
    ...section(
      'invalidated:',
      invalidated.map(({ step, why }) => `${step}  ${why}`),
    ),
    ...section('reused:', firstOf(reused)),
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

const firstOf = (steps: readonly string[]): readonly string[] =>
  steps.length > REUSED_TOLD ? [...steps.slice(0, REUSED_TOLD), `and ${steps.length - REUSED_TOLD} more`] : steps;
