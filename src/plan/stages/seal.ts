import { CONTROL } from '../../model/ids.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import type { Stage } from '../stage.js';
import { isBuilt } from '../targets.js';

export const SEAL = 'seal/manifest';

/** A pipeline that publishes nothing behind a seal has none: nothing relies on one. */
export const isSealed = ({ release }: Pick<Context, 'release'>): boolean =>
  release.pipeline === undefined || !Object.values(release.publish).every(isBuilt);

/** Wants every build and test: a failed one stops it, one that was dropped with a reason does not. */
export const seal: Stage = {
  id: 'seal',
  title: 'sealing the manifest',
  steps: (context, made) => {
    if (!isSealed(context)) return [];
    const wants = made.drafts.map((one) => one.step.id);
    return [plannedStep('sealManifest', { id: SEAL, on: CONTROL, params: {}, wants })];
  },
};
