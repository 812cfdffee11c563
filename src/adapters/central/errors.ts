import type { Problem } from '../../model/failure.js';

export const centralFailed = (target: string, id: string, errors: readonly string[]): Problem => ({
  code: 'CENTRAL_FAILED',
  class: 'product',
  message: `${target} refused deployment ${id}: ${errors[0] ?? 'it gives no reason'}`,
  next: 'Nothing was published. Fix what the lines below name, then `slipway retry`: it uploads a new deployment. This one can be dropped in the portal.',
  evidence: errors,
});

export const centralGone = (target: string, id: string): Problem => ({
  code: 'CENTRAL_GONE',
  class: 'infra',
  message: `${target} no longer knows deployment ${id}: it was dropped in the portal`,
  next: 'The step uploads it again, unless its files are published by then. If it fails again, find out who drops it.',
});

export const centralOtherUnderWay = (target: string, id: string): Problem => ({
  code: 'CENTRAL_OTHER_UNDER_WAY',
  class: 'infra',
  message: `${target} may still publish deployment ${id}, which has other bytes of this version, from an earlier round of this run`,
  next: 'Nothing was uploaded, and the step retries. Drop the deployment in the portal or wait for its end, then `slipway retry` if the step is held.',
});

export const centralNotSynced = (target: string, name: string, reads: string): Problem => ({
  code: 'CENTRAL_NOT_SYNCED',
  class: 'infra',
  message: `${target} has published ${name}, but ${reads} does not show it yet`,
  next: 'This usually takes minutes, and the step retries without another upload. If the step is held, `slipway retry`.',
});

export const centralIncomplete = (target: string, lacks: readonly string[]): Problem => ({
  code: 'CENTRAL_INCOMPLETE',
  class: 'product',
  message: `${target} would refuse this release: ${lacks.join('; ')}`,
  next: 'Nothing was uploaded. `with: [sources, javadoc]` of the entry in `jars:` makes both; versions end without -SNAPSHOT.',
});

export const centralTooLarge = (target: string, bytes: number, most: number): Problem => ({
  code: 'CENTRAL_TOO_LARGE',
  class: 'config',
  message: `${target} takes bundles of at most ${most} bytes; this one has ${bytes}`,
  next: 'Nothing was uploaded. Publish its modules as entries of their own under `jars:`.',
});
