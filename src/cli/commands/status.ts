import type { Forecast } from '../../engine/forecast/forecast.js';
import type { BisectStatus } from '../../model/bisect.js';
import type { RunStatus } from '../../model/messages.js';
import { closing } from '../closing.js';
import type { CommandSpec, ExitCode, Io } from '../command.js';
import { findRun, hasServer, namesBisect, requireClient, statusOf } from '../find-run.js';
import { RunForecaster } from '../run-forecaster.js';
import type { Schedule } from '../../model/schedule.js';
import { scheduleLine } from '../screens/schedules.js';
import type { NextFacts } from '../../model/run-next.js';
import { nextFacts } from '../next-facts.js';
import { placedInFile } from '../with-locations.js';
import type { Ports } from '../ports.js';
import { liveLines } from '../render/live.js';
import { outlookOf } from '../render/outlook.js';
import { colours } from '../render/paint.js';
import { answerLines, LEGEND, triedLines } from '../screens/bisect.js';
import { againLines, failedLines, lostLines, skippedLines } from '../screens/failures.js';
import { gateLines } from '../screens/gates.js';
import { nextLines } from '../screens/next.js';
import { tellEnding } from '../tell-ending.js';

const FROM_THE_STORE =
  'note: the services are down; type `slipway up`, and an open run goes on. Until then status knows only runs that have ended.';
/** Rows of a tree that is printed once: more than a large screen holds, but not one for each of thousands of steps. */
const TREE_ROWS = 200;
/** Width for pipes and files, which get whole lines. */
const ALL_COLUMNS = 10_000;

export const status: CommandSpec<Ports> = {
  name: 'status',
  summary: 'where a run stands; first error and last lines of each failed step',
  arguments: [
    { name: '[run]', help: 'name, workflow id, also of a bisect, or first digits of a run id (default: the newest)' },
  ],
  options: [{ flags: '--json', help: 'all that is known as one JSON object' }],
  async run({ args, options }, io, ports) {
    if (namesBisect(args['run'])) return tellBisect(args['run'], options['json'] === true, io, ports);
    const found = await placedInFile(await statusOf(ports, args['run']), ports);
    if (!(await hasServer(ports))) io.err(FROM_THE_STORE);
    const json = options['json'] === true;
    if (found.state === 'ended') await tellEnding(found, ports, io, json);
    else {
      const forecast = await lookAhead(found, ports);
      const outlook = forecast && outlookOf(forecast);
      if (json) io.out(JSON.stringify({ status: found, ...(outlook && { outlook }) }));
      else tellNow(found, await nextFacts(found, ports), forecast, io);
    }
    const schedule = json ? null : await scheduleOf(found, ports);
    if (schedule !== null) io.out(scheduleLine(schedule));
    return 0;
  },
};

/** Null for a run without a schedule, and if no server answers. */
async function scheduleOf({ pipeline, name }: RunStatus, ports: Ports): Promise<Schedule | null> {
  if (pipeline !== true || !(await hasServer(ports))) return null;
  await using client = await ports.client().then(closing, () => null);
  return (await client?.schedules.find(name).catch(() => null)) ?? null;
}

async function lookAhead(found: RunStatus, ports: Ports): Promise<Forecast | null> {
  const foresight = new RunForecaster(ports);
  await foresight.ready(found);
  return foresight.look(found, Date.now());
}

function tellNow(found: RunStatus, facts: NextFacts, forecast: Forecast | null, io: Io): void {
  const { live, colour } = io.terminal;
  const columns = live ? io.terminal.columns : ALL_COLUMNS;
  const paint = colours(colour);
  const lines = liveLines(found, { now: Date.now(), columns, rows: TREE_ROWS, paint, forecast });
  const about = [againLines, gateLines, skippedLines, lostLines].flatMap((draw) => draw(found, paint));
  io.out([...lines, ...failedLines(found, facts, paint), ...about, ...nextLines(found, facts, paint)].join('\n'));
}

/** Prints the tries of a bisect and its answer, if it has one. @param asked its workflow id */
async function tellBisect(asked: string, json: boolean, io: Io, ports: Ports): Promise<ExitCode> {
  await using client = await requireClient(ports);
  const { workflowId, run } = await findRun(client, asked);
  const status = await client.bisectStatus(workflowId, run);
  io.out(json ? JSON.stringify(status) : [`${workflowId}  ${status.state}`, ...bisectLines(status)].join('\n'));
  return 0;
}

const bisectLines = (status: BisectStatus): readonly string[] => [
  ...(status.tried.length > 0 ? [LEGEND, ...triedLines(status)] : []),
  ...(status.answer === undefined ? [] : answerLines(status.answer, status)),
];
