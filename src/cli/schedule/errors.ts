import { problem } from '../../model/problem.js';

export const noRhythm = problem.config((both: boolean) => [
  'SCHEDULE_SPEC_INVALID',
  both ? '--every and --cron both say when runs start' : 'neither --every nor --cron says when runs start',
  "Write one of the two: `slipway schedule FILE --every 15m` or `slipway schedule FILE --cron '0 2 * * *'`. `slipway schedule list` shows all schedules.",
]);
export const notAnInterval = problem.config((said: string, faults: readonly string[]) => [
  'SCHEDULE_SPEC_INVALID',
  `--every ${JSON.stringify(said.slice(0, 80))}: ${faults.join('; ')}`,
  'Write an interval from 1m to 365d: `--every 15m`.',
]);
export const notACronLine = problem.config((said: string, faults: readonly string[]) => [
  'SCHEDULE_SPEC_INVALID',
  `--cron ${JSON.stringify(said.slice(0, 80))}: ${faults.join('; ')}`,
  "Write minute, hour, day of the month, month and day of the week, in UTC: `--cron '30 2 * * MON-FRI'`.",
]);
export const notAPipeline = problem.config((file: string, name: string, version: string) => [
  'SCHEDULE_NOT_A_PIPELINE',
  `${file} is the release ${name} ${version}: each start would release the same version again`,
  'Schedule a file with `pipeline:`, or start the release with `slipway run FILE`.',
]);
export const optionNotForAction = problem.config((action: string, options: readonly string[]) => [
  'SCHEDULE_OPTION',
  `\`slipway schedule ${action}\` takes no ${options.map((option) => `--${option}`).join(', ')}`,
  'Take it away. To change times or options type `slipway schedule FILE` with the new ones.',
]);
export const secretInWheels = problem.config((wheels: readonly string[]) => [
  'SCHEDULE_SECRET',
  `--wheels ${wheels.join(', ')}: the address holds a login, and the server would keep it`,
  'Write the address without a login, or download the wheel and name it: `--wheels NAME=file:PATH`.',
]);
export const whichSchedule = problem.config((action: string, names: readonly string[]) => [
  'SCHEDULE_NOT_NAMED',
  names.length === 0
    ? 'no pipeline has a schedule'
    : `${names.length} pipelines have a schedule: ${names.slice(0, 10).join(', ')}`,
  names.length === 0
    ? 'Make one: `slipway schedule FILE --every 15m`.'
    : `Name one of them: \`slipway schedule ${action} NAME\`.`,
]);
