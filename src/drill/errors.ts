import type { Problem } from '../model/failure.js';
import type { Queue } from '../model/ids.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const drillUnderWay = (pid: number): Problem =>
  config('DRILL_UNDER_WAY', `process ${pid} drills in this home`, 'Let it end, or end it with Ctrl-C; one at a time.');

export const nothingToDrill = (prefix: string): Problem =>
  config(
    'NOTHING_TO_DRILL',
    `no step begins with "${prefix}" at which one of these could be killed`,
    'Type `slipway plan FILE` for the ids of steps.',
  );

export const notServedHere = (queues: readonly Queue[]): Problem =>
  config(
    'DRILL_NEEDS_QUEUES',
    `a drill has only this machine, which does not serve ${queues.join(', ')}`,
    'Let the release file leave out what needs them (`unserved: drop`), or drill on such a machine.',
  );

export const drillStopped = (seed: number): Problem => ({
  code: 'DRILL_STOPPED',
  class: 'cancelled',
  message: 'the drill was stopped before it was over; nothing of it is up any more',
  next: `Type it again with --seed ${seed} for the same points.`,
});

export const notRisen = (victim: string, limitMs: number, tail: readonly string[]): Problem => ({
  code: 'DRILL_NOT_RISEN',
  class: 'bug',
  message: `${victim} was killed and did not answer again within ${limitMs / 1000} s`,
  next: 'Its last lines are below; the folder of the drill is kept. Report it with them.',
  evidence: tail,
});
