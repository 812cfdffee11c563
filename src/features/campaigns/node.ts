import type { FeatureNode } from '../../workers/feature.js';
import { checkHooks } from './node/hooks-file.js';

export const campaigns = {
  doctor: [checkHooks],
} satisfies FeatureNode<'campaigns'>;
