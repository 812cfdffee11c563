import type { FeatureNode } from '../../workers/feature.js';
import { commentActivities, commentWatches } from './node/comments/activities.js';
import { checkHooks } from './node/hooks-file.js';

export const campaigns = {
  activities: { control: (around) => commentActivities(around), watches: commentWatches },
  doctor: [checkHooks],
} satisfies FeatureNode<'campaigns'>;
