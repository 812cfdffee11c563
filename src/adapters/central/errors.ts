import { problem } from '../../model/problem.js';

export const centralFailed = problem.product((target: string, id: string, errors: readonly string[]) => [
  'CENTRAL_FAILED',
  `${target} refused deployment ${id}: ${errors[0] ?? 'it gives no reason'}`,
  'Nothing was published. Fix what the lines below name, then `slipway retry`: it uploads a new deployment. This one can be dropped in the portal.',
  { evidence: errors },
]);
export const centralGone = problem.infra((target: string, id: string) => [
  'CENTRAL_GONE',
  `${target} no longer knows deployment ${id}: it was dropped in the portal`,
  'The step uploads it again, unless its files are published by then. If it fails again, find out who drops it.',
]);
export const centralOtherUnderWay = problem.infra((target: string, id: string) => [
  'CENTRAL_OTHER_UNDER_WAY',
  `${target} may still publish deployment ${id}, which has other bytes of this version, from an earlier round of this run`,
  'Nothing was uploaded, and the step retries. Drop the deployment in the portal or wait for its end, then `slipway retry` if the step is held.',
]);
export const centralNotSynced = problem.infra((target: string, name: string, reads: string) => [
  'CENTRAL_NOT_SYNCED',
  `${target} has published ${name}, but ${reads} does not show it yet`,
  'This usually takes minutes, and the step retries without another upload. If the step is held, `slipway retry`.',
]);
export const centralIncomplete = problem.product((target: string, lacks: readonly string[]) => [
  'CENTRAL_INCOMPLETE',
  `${target} would refuse this release: ${lacks.join('; ')}`,
  'Nothing was uploaded. `with: [sources, javadoc]` of the entry in `jars:` makes both; versions end without -SNAPSHOT.',
]);
export const centralTooLarge = problem.config((target: string, bytes: number, most: number) => [
  'CENTRAL_TOO_LARGE',
  `${target} takes bundles of at most ${most} bytes; this one has ${bytes}`,
  'Nothing was uploaded. Publish its modules as entries of their own under `jars:`.',
]);
