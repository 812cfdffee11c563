import { FEATURE_KINDS } from '../features/kinds.js';
import type { ToolRow } from './feature-kinds.js';
import { fieldOf, together } from './together.js';

/** Programs of features that people bring to their workers. */
export const BROUGHT: Readonly<Record<string, ToolRow>> = together('tool', fieldOf(FEATURE_KINDS, 'tools'));
