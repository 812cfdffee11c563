import { campaigns } from './campaigns/node.js';
import { locks } from './locks/node.js';
import { spack } from './spack/node.js';
import type { NodeList } from '../workers/feature.js';

/** Bodies, openers, activities and checks of features. Programs hand the list in. */
export const FEATURE_NODES: NodeList = { campaigns, locks, spack };
