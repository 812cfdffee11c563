import { FEATURE_KINDS } from '../features/kinds.js';
import type { ProgramRow } from './feature-kinds.js';
import { fieldOf, together } from './together.js';

/** Programs of features that `slipway up` keeps running, by the name of the service. */
export const PROGRAMS: Readonly<Record<string, ProgramRow>> = together('service', fieldOf(FEATURE_KINDS, 'programs'));
