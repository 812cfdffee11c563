import type { Problem } from '../model/failure.js';
import type { Queue } from '../model/ids.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const drillUnderWay = (pid: number): Problem =>
  config(
    'DRILL_UNDER_WAY',
    `process ${pid} already drills in this home`,
    'Wait for its end, or end it with Ctrl-C: only one drill can run at a time.',
  );

export const nothingToDrill = (prefix: string): Problem =>
  config(
    'NOTHING_TO_DRILL',
    `no step whose id begins with "${prefix}" uses any of these victims`,
    'Type `slipway plan FILE` for the ids of steps.',
  );

export const notServedHere = (queues: readonly Queue[]): Problem =>
  config(
    'DRILL_NEEDS_QUEUES',
    `a drill has only this machine, which does not serve ${queues.join(', ')}`,
    'Write `unserved: drop` into the release file to leave out what needs them, or drill on such a machine.',
  );

export const drillStopped = (seed: number): Problem => ({
  code: 'DRILL_STOPPED',
  class: 'cancelled',
  message: 'the drill was stopped before its end; all its processes have ended',
  next: `Type it again with --seed ${seed} for the same points.`,
});

export const notRisen = (victim: string, limitMs: number, tail: readonly string[]): Problem => ({
  code: 'DRILL_NOT_RISEN',
  class: 'bug',
  message: `${victim} was killed and did not answer again within ${limitMs / 1000} s`,
  next: 'Report it with the lines below and the folder of the drill, which is kept.',
  evidence: tail,
});
