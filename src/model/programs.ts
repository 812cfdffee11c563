import { FEATURE_KINDS } from '../features/kinds.js';
import type { ProgramRow, ToolRow } from './feature-kinds.js';
import { fieldOf, together } from './together.js';

/** Programs of features that `slipway up` keeps running, by the name of the service. */
export const PROGRAMS: Readonly<Record<string, ProgramRow>> = together('service', fieldOf(FEATURE_KINDS, 'programs'));

/** Programs that people bring to their workers, by name. */
export const BROUGHT: Readonly<Record<string, ToolRow>> = together('tool', fieldOf(FEATURE_KINDS, 'tools'));
