import { campaigns } from './campaigns/cli.js';
import { locks } from './locks/cli.js';
import { spack } from './spack/cli.js';
import type { FeatureClis } from '../cli/feature.js';

/** Commands and lines of features. `slipway --help` loads it, so each `cli.ts` loads the rest when a command runs. */
export const FEATURE_CLIS = { campaigns, locks, spack } as const satisfies FeatureClis;
