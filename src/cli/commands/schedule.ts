import type { ReleaseClient } from '../../client/index.js';
import { scheduleUnknown } from '../../client/errors.js';
import { fail } from '../../model/failure.js';
import { parseCron, parseEvery, type Rhythm } from '../../model/rhythm.js';
import type { Schedule } from '../../model/schedule.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { reasonMissing } from '../errors.js';
import { requireClient } from '../find-run.js';
import { givenIn, SCHEDULED_OPTIONS } from '../given.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import {
  notAPipeline,
  optionNotForAction,
  secretInWheels,
  whichSchedule,
  noRhythm,
  notACronLine,
  notAnInterval,
} from '../schedule/errors.js';
import { scheduleLines } from '../screens/schedules.js';
import { sender } from '../send-action.js';

const ACTIONS = ['list', 'pause', 'resume', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

export const schedule: CommandSpec<Ports> = {
  name: 'schedule',
  summary: 'start runs of a pipeline by the clock; list, pause, resume or delete schedules',
  arguments: [
    { name: '[what]', help: 'release file of a pipeline (default: slipway.yaml); or list, pause, resume, delete' },
    { name: '[name]', help: 'list, pause, resume, delete: the pipeline (default: the only one that has a schedule)' },
  ],
  options: [
    { flags: '--every <interval>', help: 'from 1m to 365d, counted from 1970 in UTC: 15m' },
    { flags: '--cron <line>', help: "five fields in UTC: '0 2 * * MON-FRI'" },
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets (default: local)' },
    ...SCHEDULED_OPTIONS,
    { flags: '--reason <text>', help: 'pause, resume: why; `list` shows it' },
    { flags: '--by <name>', help: 'who makes, pauses or resumes it (default: $SLIPWAY_BY, else your login)' },
    { flags: '--json', help: 'the schedules as JSON' },
  ],
  async run({ args, options }, io, ports): Promise<ExitCode> {
    const { what = 'slipway.yaml', name } = args;
    const action = ACTIONS.find((one) => one === what);
    const does = action === undefined ? await making(what, options, io, ports) : acting(action, name, options, ports);
    await using client = await requireClient(ports);
    await does(client, io);
    return 0;
  },
};

/** `https://user:password@host/`. */
const LOGIN = /:\/\/[^/?#]*@/;

type Does = (client: ReleaseClient, io: Io) => Promise<void>;

/** Refuses bad input before anything is sent. */
async function making(file: string, options: Input['options'], io: Io, ports: Ports): Promise<Does> {
  const rhythm = rhythmIn(options);
  const given = givenIn(options);
  const bare = Object.entries(given.wheels ?? {}).filter(([, what]) => LOGIN.test(what));
  if (bare.length > 0) throw fail(secretInWheels(bare.map(([wheel]) => wheel)));
  const { plan, order } = await notingUncommitted(file, ports, io, () =>
    ports.order(file, String(options['profile'] ?? 'local'), given),
  );
  const { name, version } = plan.release;
  if (plan.pipeline !== true) throw fail(notAPipeline(file, name, version));
  const by = sender(options, ports);
  return async ({ schedules }, { out, err, terminal }) => {
    const { created } = await schedules.put({ ...order, pipeline: name, rhythm, ...(by !== undefined && { by }) });
    const made = await schedules.find(name);
    if (options['json'] === true) return out(JSON.stringify(made));
    err(created ? `Scheduled: ${name}` : `Changed the schedule of ${name}`);
    out(scheduleLines(made === null ? [] : [made], colours(terminal.colour)).join('\n'));
  };
}

const OWN_OPTIONS: Readonly<Record<Action, readonly string[]>> = {
  list: ['json'],
  pause: ['reason', 'by', 'json'],
  resume: ['reason', 'by', 'json'],
  delete: ['json'],
};

function acting(action: Action, name: string | undefined, options: Input['options'], ports: Ports): Does {
  const foreign = Object.keys(options).filter((option) => !OWN_OPTIONS[action].includes(option));
  if (foreign.length > 0) throw fail(optionNotForAction(action, foreign));
  const { reason, json } = options;
  if (action === 'pause' && !(typeof reason === 'string' && reason.trim() !== ''))
    throw fail(reasonMissing('schedule pause'));
  return async ({ schedules }, { out, err, terminal }) => {
    const found = name === undefined ? await schedules.list() : [(await schedules.find(name)) ?? unknown(name)];
    if (action === 'list') {
      const lines = scheduleLines(found, colours(terminal.colour));
      return out(json === true ? JSON.stringify(found) : lines.join('\n'));
    }
    const { pipeline } = only(found, action);
    const note = `${typeof reason === 'string' ? reason : 'resumed'} (${sender(options, ports) ?? 'unknown'})`;
    await schedules[action](pipeline, note);
    if (json === true) out(JSON.stringify(await schedules.find(pipeline)));
    else err(DONE[action](pipeline));
  };
}

const DONE: Readonly<Record<Exclude<Action, 'list'>, (pipeline: string) => string>> = {
  pause: (pipeline) =>
    `Paused ${pipeline}: no run starts before \`slipway schedule resume ${pipeline}\`. An open run goes on.`,
  resume: (pipeline) => `Resumed ${pipeline}`,
  delete: (pipeline) => `Deleted the schedule of ${pipeline}. Its runs stay.`,
};

function only(found: readonly Schedule[], action: Action): Schedule {
  const names = found.map(({ pipeline }) => pipeline);
  if (found.length !== 1) throw fail(whichSchedule(action, names));
  return found[0]!;
}

function unknown(name: string): never {
  throw fail(scheduleUnknown(name));
}

/** Returns when runs start, by `--every` or `--cron`. Throws SCHEDULE_SPEC_INVALID. */
function rhythmIn({ every, cron }: Input['options']): Rhythm {
  if ((typeof every === 'string') === (typeof cron === 'string')) throw fail(noRhythm(every !== undefined));
  const said = String(every ?? cron);
  const parsed = every === undefined ? parseCron(said) : parseEvery(said);
  if ('rhythm' in parsed) return parsed.rhythm;
  throw fail((every === undefined ? notACronLine : notAnInterval)(said, parsed.faults));
}
