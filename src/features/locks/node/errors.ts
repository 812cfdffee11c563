import type { Problem } from '../../../model/failure.js';

export const relaxAbsent = (name: string, file: string): Problem => ({
  code: 'RELAX_ABSENT',
  class: 'config',
  message: `${file} does not hold ${name}, which is to be taken out of it`,
  next: 'Correct `without` (in depsets: `packages`), or make that lock again.',
});

export const requirementsAbsent = (file: string): Problem => ({
  code: 'REQUIREMENTS_ABSENT',
  class: 'config',
  message: `the source has no file ${file}`,
  next: 'Correct `in`, `constraints`, `lock` or `drift` in the release file; paths are relative to the top of the source.',
});

export const lockUnsolvable = (name: string, tool: string, code: number, lines: readonly string[]): Problem => ({
  code: 'LOCK_UNSOLVABLE',
  class: 'config',
  message: `deps ${name}: ${tool} found no set of versions`,
  next: 'Read its reasoning below; loosen `requires`, move `cutoff`, or leave a Python out with `skip`.',
  evidence: lines,
  details: { exitCode: code },
});

/** Repeats the planner's check, for plans that were made elsewhere. */
export const cutoffUnknown = (name: string, cutoff: string): Problem => ({
  code: 'CUTOFF_UNKNOWN',
  class: 'config',
  message: `deps ${name}: pip-tools cannot hold the cut-off ${cutoff}`,
  next: 'Write `tool: uv`, or take `cutoff` away: the lock then holds what is newest when it is made.',
});

export const otherMachine = (platform: string, machine: string): Problem => ({
  code: 'LOCK_OTHER_MACHINE',
  class: 'config',
  message: `pip-tools locks for the machine it runs on, ${machine}; the step is for ${platform}`,
  next: 'Write `tool: uv`, which locks for any platform, or let a queue of such machines do it; `skip` leaves the platform out.',
});

export const lockDrift = (drift: string, diff: readonly string[]): Problem => ({
  code: 'LOCK_DRIFT',
  class: 'product',
  message: `${drift} in the source is not what its requirements resolve to`,
  next: 'Commit the lock with the lines marked + in place of those marked -, or move `cutoff` back to the time it was made. Where the entry says `lock`, `slipway deps write` puts it into the working tree.',
  evidence: diff,
});

export const unknownDepsAction = (action: string): Problem => ({
  code: 'DEPS_ACTION_UNKNOWN',
  class: 'config',
  message: `slipway deps does not know ${JSON.stringify(action)}`,
  next: 'Type `slipway deps check` or `slipway deps write`.',
});

export const noLocks = (workflowId: string): Problem => ({
  code: 'NO_LOCKS',
  class: 'config',
  message: `the run ${workflowId} made no lock with a path of the source`,
  next: 'Write `lock: PATH` in the entry of `deps:`, and run it; `slipway status` shows whether those steps have ended.',
});

export const otherRelease = (workflowId: string, name: string): Problem => ({
  code: 'RUN_OF_ANOTHER_RELEASE',
  class: 'config',
  message: `${workflowId} is no run of ${name}, which the release file is of`,
  next: 'Name the run with --run, or the release file of that run.',
});
