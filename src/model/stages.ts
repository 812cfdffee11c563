import { FEATURE_KINDS } from '../features/kinds.js';
import type { StageRow } from './feature-kinds.js';
import { placed } from './placed.js';
import { fieldOf, together } from './together.js';

const core = {
  ...{ source: {}, prove: {}, sdists: {}, wheels: {}, jars: {}, images: {}, tests: {}, steps: {} },
  ...{ seal: {}, attest: {}, gates: {}, publish: {}, verify: {}, point: {}, announce: {}, report: {} },
};
const FEATURES = fieldOf(FEATURE_KINDS, 'stages');
/** Stages of each feature, by its name. */
export type FeatureStages = typeof FEATURES;
const rows = together('stage', { core, ...FEATURES });
export type StageId = keyof typeof rows;

/** Stages of a release, in the order of display. Edges between steps decide the order of execution. A step's stage is part of its
 * key, and decides its default retries, its priority and whether it gets the seal. */
export const STAGE_IDS = placed(
  'stage',
  Object.keys(core),
  Object.entries<Readonly<Record<string, StageRow>>>(FEATURES).flatMap(([owner, stages]) =>
    Object.entries(stages).map(([name, { after }]) => ({ owner, name, after })),
  ),
) as readonly StageId[];
