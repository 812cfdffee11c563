import type { Problem } from '../../model/failure.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const noRhythm = (both: boolean): Problem =>
  config(
    'SCHEDULE_SPEC_INVALID',
    both ? '--every and --cron both say when runs start' : 'neither --every nor --cron says when runs start',
    "Write one of the two: `slipway schedule FILE --every 15m` or `slipway schedule FILE --cron '0 2 * * *'`. `slipway schedule list` shows all schedules.",
  );

export const notAnInterval = (said: string, faults: readonly string[]): Problem =>
  config(
    'SCHEDULE_SPEC_INVALID',
    `--every ${JSON.stringify(said.slice(0, 80))}: ${faults.join('; ')}`,
    'Write an interval from 1m to 365d: `--every 15m`.',
  );

export const notACronLine = (said: string, faults: readonly string[]): Problem =>
  config(
    'SCHEDULE_SPEC_INVALID',
    `--cron ${JSON.stringify(said.slice(0, 80))}: ${faults.join('; ')}`,
    "Write minute, hour, day of the month, month and day of the week, in UTC: `--cron '30 2 * * MON-FRI'`.",
  );

export const notAPipeline = (file: string, name: string, version: string): Problem =>
  config(
    'SCHEDULE_NOT_A_PIPELINE',
    `${file} is the release ${name} ${version}: each start would release the same version again`,
    'Schedule a file with `pipeline:`, or start the release with `slipway run FILE`.',
  );

export const optionNotForAction = (action: string, options: readonly string[]): Problem =>
  config(
    'SCHEDULE_OPTION',
    `\`slipway schedule ${action}\` takes no ${options.map((option) => `--${option}`).join(', ')}`,
    'Take it away. To change times or options type `slipway schedule FILE` with the new ones.',
  );

export const secretInWheels = (wheels: readonly string[]): Problem =>
  config(
    'SCHEDULE_SECRET',
    `--wheels ${wheels.join(', ')}: the address holds a login, and the server would keep it`,
    'Write the address without a login, or download the wheel and name it: `--wheels NAME=file:PATH`.',
  );

export const whichSchedule = (action: string, names: readonly string[]): Problem =>
  config(
    'SCHEDULE_NOT_NAMED',
    names.length === 0
      ? 'no pipeline has a schedule'
      : `${names.length} pipelines have a schedule: ${names.slice(0, 10).join(', ')}`,
    names.length === 0
      ? 'Make one: `slipway schedule FILE --every 15m`.'
      : `Name one of them: \`slipway schedule ${action} NAME\`.`,
  );
