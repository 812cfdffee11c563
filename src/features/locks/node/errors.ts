import { problem } from '../../../model/problem.js';

export const relaxAbsent = problem.config((name: string, file: string) => [
  'RELAX_ABSENT',
  `${file} does not hold ${name}, which is to be taken out of it`,
  'Correct `without` (in depsets: `packages`), or make that lock again.',
]);
export const requirementsAbsent = problem.config((file: string) => [
  'REQUIREMENTS_ABSENT',
  `the source has no file ${file}`,
  'Correct `in`, `constraints`, `lock` or `drift` in the release file; paths are relative to the top of the source.',
]);
export const lockUnsolvable = problem.config((name: string, tool: string, code: number, lines: readonly string[]) => [
  'LOCK_UNSOLVABLE',
  `deps ${name}: ${tool} found no set of versions`,
  'Read its reasoning below; loosen `requires`, move `cutoff`, or leave a Python out with `skip`.',
  { evidence: lines, details: { exitCode: code } },
]);
export const lockToolAbsent = problem.config((name: string, tool: readonly string[], lines: readonly string[]) => [
  'LOCK_TOOL_ABSENT',
  `deps ${name}: no index has ${tool.join(' with ')} for this Python`,
  'Correct `tool` or `pip`: the lines below say which version is missing.',
  { evidence: lines },
]);
export const lockToolBroken = problem.config((name: string, tool: string, pip: string, lines: readonly string[]) => [
  'LOCK_TOOL_BROKEN',
  `deps ${name}: ${tool} ended with a traceback under pip ${pip}`,
  'Write `pip: VERSION` beside `tool`, an older one: pip-tools 7.4.1 works under 25.0. Or name a newer pip-tools.',
  { evidence: lines },
]);
/** Repeats the planner's check, for plans that were made elsewhere. */
export const cutoffUnknown = problem.config((name: string, cutoff: string) => [
  'CUTOFF_UNKNOWN',
  `deps ${name}: pip-tools cannot hold the cut-off ${cutoff}`,
  'Write `tool: uv`, or take `cutoff` away: the lock then holds what is newest when it is made.',
]);
export const otherMachine = problem.config((platform: string, machine: string) => [
  'LOCK_OTHER_MACHINE',
  `pip-tools locks for the machine it runs on, ${machine}; the step is for ${platform}`,
  'Write `tool: uv`, which locks for any platform, or let a queue of such machines do it; `skip` leaves the platform out.',
]);
export const lockDrift = problem.product((drift: string, diff: readonly string[]) => [
  'LOCK_DRIFT',
  `${drift} in the source is not what its requirements resolve to`,
  'Commit the lock with the lines marked + in place of those marked -, or move `cutoff` back to the time it was made. Where the entry says `lock`, `slipway deps write` puts it into the working tree.',
  { evidence: diff },
]);
export const unknownDepsAction = problem.config((action: string) => [
  'DEPS_ACTION_UNKNOWN',
  `slipway deps does not know ${JSON.stringify(action)}`,
  'Type `slipway deps check` or `slipway deps write`.',
]);
export const noLocks = problem.config((workflowId: string) => [
  'NO_LOCKS',
  `the run ${workflowId} made no lock with a path of the source`,
  'Write `lock: PATH` in the entry of `deps:`, and run it; `slipway status` shows whether those steps have ended.',
]);
export const otherRelease = problem.config((workflowId: string, name: string) => [
  'RUN_OF_ANOTHER_RELEASE',
  `${workflowId} is no run of ${name}, which the release file is of`,
  'Name the run with --run, or the release file of that run.',
]);
