import type { NodeList } from '../workers/feature.js';

/** What features do in the programs of workers. Programs hand the list in. */
export const FEATURE_NODES = {} as const satisfies NodeList;
