import { whyPlanned } from '../../engine/why/planned.js';
import { rowSentence } from '../../engine/why/rows.js';
import { why as draw, type Why } from '../../engine/why/why.js';
import type { Row } from '../../model/rows.js';
import type { CommandSpec, Input, Io } from '../command.js';
import { fail } from '../../model/failure.js';
import { whyRunAndFile } from '../errors.js';
import { statusOf } from '../find-run.js';
import { meantBy, storedRows } from '../find-row.js';
import { factsOf } from '../find-why.js';
import { GIVEN_OPTIONS, givenIn } from '../given.js';
import type { Ports } from '../ports.js';
import { colours, plain } from '../render/paint.js';
import { whyLines } from '../screens/why.js';
import { planOf } from '../stored-plan.js';

export const why: CommandSpec<Ports> = {
  name: 'why',
  summary:
    'why a step ran, was reused or was not (the field that changed), waits, is held or was left out; with a file, before a run',
  arguments: [
    { name: '<subject>', help: 'id of a step, a part of it, or an imported thing: a test, a pinned package' },
    { name: '[file]', help: 'release file or its folder: answers from a plan of it, without a run' },
  ],
  options: [
    { flags: '--run <run>', help: 'workflow id or first digits of a run id (default: the newest)' },
    { flags: '--profile <name>', help: 'with a file: addresses and credentials behind the targets', default: 'local' },
    ...GIVEN_OPTIONS,
    { flags: '--json', help: 'all that is known as one JSON object' },
  ],
  async run(input, io, ports) {
    const run = typeof input.options['run'] === 'string' ? input.options['run'] : undefined;
    if (input.args['file'] === undefined) await afterStart(input, run, io, ports);
    else if (run === undefined) await beforeRun(input, input.args['file'], io, ports);
    else throw fail(whyRunAndFile(run, input.args['file']));
    return 0;
  },
};

async function beforeRun({ args, options }: Input, file: string, io: Io, ports: Ports): Promise<void> {
  const { plan, rows } = await ports.planWithRows(file, String(options['profile']), givenIn(options));
  const meant = meantBy(args['subject'] ?? '', plan, rows, `the plan of ${file}`);
  const asJson = options['json'] === true;
  if ('rows' in meant) return tellRows(meant.rows, asJson, io);
  tell(whyPlanned(meant.step, plan), {}, undefined, asJson, io);
}

async function afterStart({ args, options }: Input, run: string | undefined, io: Io, ports: Ports): Promise<void> {
  const status = await statusOf(ports, run);
  const plan = await planOf(status, ports);
  const rows = await storedRows(plan, ports);
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
  const lines = rows.slice(0, TOLD).map((row) => plain(rowSentence(row)));
  io.out([...lines, ...(rest > 0 ? [`and ${rest} more: slipway why --json`] : [])].join('\n'));
}
