import type { Surroundings } from '../activities/step/ports.js';
import type { Bodies } from '../activities/work.js';

/** All kinds that workers of this machine can do, with their adapters. */
export function createBodies(_around: Surroundings): Bodies {
  return {};
}
