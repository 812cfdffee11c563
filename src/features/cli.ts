import type { FeatureClis } from '../cli/feature.js';

/** Commands and lines of features. `slipway --help` loads it, so each `cli.ts` loads the rest when a command runs. */
export const FEATURE_CLIS = {} as const satisfies FeatureClis;
