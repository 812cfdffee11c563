import type { Problem } from '#slipway/model/failure.js';
import type { Queue } from '#slipway/model/ids.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const drillNumber = (option: string, given: string, least: number): Problem =>
  config(
    'DRILL_NUMBER',
    `--${option} ${JSON.stringify(given)} is no whole number from ${least} on`,
    `Write one: --${option} ${Math.max(least, 20)}.`,
  );

export const drillVictim = (given: readonly string[], known: readonly string[]): Problem =>
  config(
    'DRILL_VICTIM',
    `--kill ${given.join(',')}: no victim of a drill has this name`,
    `Choose from ${known.join(', ')}. The victim docker needs root, and an engine that \`slipway up\` started.`,
  );

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
