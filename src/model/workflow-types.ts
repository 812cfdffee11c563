import { FEATURE_KINDS } from '../features/kinds.js';
import type { WorkflowType } from './feature-kinds.js';
import { fieldOf, together } from './together.js';

const core = {
  release: { ids: ['release/', 'rehearsal/'], startedBy: ['operator'] },
  pipeline: { ids: ['pipeline/'], startedBy: ['operator', 'schedule'] },
  bisect: { ids: ['bisect/'], startedBy: ['operator', 'control'] },
  index: { ids: ['index/'], startedBy: ['control'] },
  requestCancel: { ids: [], startedBy: [] },
} as const satisfies Readonly<Record<string, WorkflowType>>;

/** Types of workflows. src/workflows/index.ts exports a function for each. */
export const WORKFLOW_TYPES = together('type of workflow', { core, ...fieldOf(FEATURE_KINDS, 'workflows') });
export type WorkflowName = keyof typeof WORKFLOW_TYPES;
export type CoreWorkflow = keyof typeof core;

/** Returns a condition of a list query of Temporal. */
export const isOfType = (types: readonly string[] = Object.keys(WORKFLOW_TYPES)): string =>
  `WorkflowType IN (${types.map((type) => `'${type}'`).join(', ')})`;
