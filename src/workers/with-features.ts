import type { IndexWriter } from '../activities/index/ports.js';
import { featureAfterRun } from '../activities/report/errors.js';
import type { EndedRuns } from '../activities/report/keep-status.js';
import { createTellIndexes } from '../activities/report/tell-indexes.js';
import type { StepContext } from '../activities/step/ports.js';
import { resolveAddress } from '../activities/step/work.js';
import { together } from '../model/together.js';
import type { FeatureNodes } from './feature.js';

/** Adds the further activities of features to those of the core. Throws FEATURE_NAME_TAKEN. */
export function withFeatures(
  on: 'control' | 'watches',
  core: object,
  features: FeatureNodes,
  around: StepContext,
): object {
  const made = Object.entries(features).map(([name, { activities }]) => [name, activities?.[on]?.(around) ?? {}]);
  return together('Temporal activity', { core, ...Object.fromEntries(made) });
}

/** Returns what follows the end of a run. An error of a feature is a finding. */
export const endedOf = (around: StepContext, writer: IndexWriter, features: FeatureNodes): readonly EndedRuns[] => [
  createTellIndexes({ writer, address: (text) => resolveAddress(text, around) }),
  ...Object.entries(features).map(([name, node]): EndedRuns => async (plan, status) => {
    try {
      return (await node.ended?.(plan, status, around)) ?? [];
    } catch (error) {
      return [featureAfterRun(name, error)];
    }
  }),
];
