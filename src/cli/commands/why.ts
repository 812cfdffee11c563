import { whyPlanned } from '../../engine/why/planned.js';
import { rowSentence, rowsNamed, rowsWith, trailLines } from '../../engine/why/rows.js';
import { why as draw, type Why } from '../../engine/why/why.js';
import type { StepId } from '../../model/ids.js';
import type { JsonObject } from '../../model/json.js';
import type { Plan } from '../../model/plan.js';
import type { Row, Rows } from '../../model/rows.js';
import type { CommandSpec, Input, Io } from '../command.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { RunStatus } from '../../model/messages.js';
import { noSettings, noSuchStep, subjectMissing, whyRunAndFile } from '../errors.js';
import { statusOf } from '../find-run.js';
import { meantStep } from '../find-log.js';
import { factsOf } from '../find-why.js';
import { GIVEN_OPTIONS, givenIn } from '../given.js';
import type { Ports } from '../ports.js';
import type { SettingsScreen } from '../screens/feature-screens.js';
import { colours, plain } from '../render/paint.js';
import { whyLines } from '../screens/why.js';
import { planOf, storedJson } from '../stored-plan.js';

export const why: CommandSpec<Ports> = {
  name: 'why',
  summary:
    'why a step ran, was reused or was not (the field that changed), waits, is held or was left out; with a file, before a run',
  arguments: [
    {
      name: '[subject]',
      help: 'id of a step, a part of it, an imported thing (a test, a pinned package), or config.PATH',
    },
    { name: '[file]', help: 'release file or its folder: answers from a plan of it, without a run' },
  ],
  options: [
    { flags: '--run <run>', help: 'name, workflow id or first digits of a run id (default: the newest)' },
    { flags: '--profile <name>', help: 'with a file: addresses and credentials behind the targets', default: 'local' },
    ...GIVEN_OPTIONS,
    { flags: '--json', help: 'all that is known as one JSON object' },
  ],
  async run(input, io, ports) {
    if (input.args['subject'] === undefined) throw fail(subjectMissing());
    const screen = settingsScreen(input.args['subject'] ?? '', ports);
    const run = typeof input.options['run'] === 'string' ? input.options['run'] : undefined;
    if (run !== undefined && input.args['file'] !== undefined) throw fail(whyRunAndFile(run, input.args['file']));
    if (screen !== null) await whySetting(screen, input, run, io, ports);
    else if (input.args['file'] === undefined) await afterStart(input, run, io, ports);
    else await beforeRun(input, input.args['file'], io, ports);
    return 0;
  },
};

/** The screen of the settings that a subject names: `config.service.port`. */
function settingsScreen(subject: string, { screens }: Ports): SettingsScreen | null {
  const named = Object.values(screens).flatMap(({ settings }) => settings ?? []);
  return (
    named.find(({ word }) => subject === word || subject.startsWith(`${word}.`) || subject.startsWith(`${word}[`)) ??
    null
  );
}

/** Answers from the record of the settings: of a file before a run, of the plan in a run and after it. */
async function whySetting(
  screen: SettingsScreen,
  { args: { subject = '', file }, options }: Input,
  run: string | undefined,
  io: Io,
  ports: Ports,
) {
  const document =
    file === undefined
      ? await storedJson<JsonObject>((await planOf(await statusFor(subject, run, ports), ports)).settings, ports)
      : (await ports.settings(file, String(options['profile']), givenIn(options)))?.document;
  if (document == null) throw fail(noSettings(file ?? 'the run'));
  const told = screen.why(document, subject.slice(screen.word.length).replace(/^\./, ''));
  io.out(options['json'] === true ? JSON.stringify(told.json) : told.lines.map(plain).join('\n'));
}

/** Status of a run, or of the newest one. */
async function statusFor(subject: string, run: string | undefined, ports: Ports): Promise<RunStatus> {
  return statusOf(ports, run).catch((error: unknown) => {
    if (run !== undefined || !(error instanceof SlipwayFailure)) throw error;
    const { next } = error.first;
    const file = `Before a run, name the release file: \`slipway why ${subject} FILE\`.`;
    throw fail({ ...error.first, next: `${file} ${next}` }, error);
  });
}

async function beforeRun({ args, options }: Input, file: string, io: Io, ports: Ports): Promise<void> {
  const { plan, rows } = await ports.planWithRows(file, String(options['profile']), givenIn(options));
  const meant = meantBy(args['subject'] ?? '', plan, rows, `the plan of ${file}`);
  const asJson = options['json'] === true;
  if ('rows' in meant) return tellRows(meant.rows, asJson, io);
  tell(whyPlanned(meant.step, plan), {}, undefined, asJson, io);
}

async function afterStart({ args, options }: Input, run: string | undefined, io: Io, ports: Ports): Promise<void> {
  const status = await statusFor(args['subject'] ?? '', run, ports);
  const plan = await planOf(status, ports);
  const rows = await storedJson<Rows>(plan.imports?.rows, ports);
  const meant = meantBy(args['subject'] ?? '', plan, rows, `the plan of ${status.workflowId}`);
  const asJson = options['json'] === true;
  if ('rows' in meant) return tellRows(meant.rows, asJson, io);
  const told = draw(await factsOf(meant.step, plan, status, ports), ports.hash);
  tell(told, { run: status.run, workflowId: status.workflowId }, run, asJson, io);
}

function tell(told: Why, about: object, run: string | undefined, asJson: boolean, io: Io): void {
  if (asJson) io.out(JSON.stringify({ ...about, ...told }));
  else io.out(whyLines(told, run, colours(io.terminal.colour)).join('\n'));
}

/** Rows told before the rest is counted. */
const TOLD = 20;

function tellRows(rows: readonly Row[], asJson: boolean, io: Io): void {
  if (asJson) return io.out(JSON.stringify({ rows }));
  const rest = rows.length - TOLD;
  const lines = rows.slice(0, TOLD).flatMap((row) => [rowSentence(row), ...trailLines(row)].map(plain));
  io.out([...lines, ...(rest > 0 ? [`and ${rest} more: slipway why --json`] : [])].join('\n'));
}

/** The subject of a question: a step of the plan, or rows of its imports. */
type Meant = { readonly step: StepId } | { readonly rows: readonly Row[] };

/** Finds a subject: a whole id, a row by name, a part of an id, a part of a row. Throws NO_SUCH_STEP.
 * @param where for the message */
function meantBy(said: string, plan: Plan, rows: Rows | null, where: string): Meant {
  const known = [...plan.steps, ...plan.dropped, ...(plan.assumed ?? [])].map(({ id }) => id);
  if (known.includes(said)) return { step: said };
  const named = rows === null ? [] : rowsNamed(rows, said);
  if (named.length > 0) return { rows: named };
  const isPart = known.some((id) => id.includes(said));
  const parts = rows === null || isPart ? [] : rowsWith(rows, said);
  return parts.length > 0 ? { rows: parts } : { step: meantStep(known, said, where, noSuchStep) };
}
