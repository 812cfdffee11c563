import type { OurWheel } from '../asks.js';
import type { Wanting } from './ours.js';
import type { Rules } from './verdict.js';

/** Returns why a wheel of ours is to be built again. Null if it is not. */
export function dueForRebuild(_wheel: OurWheel, _want: Wanting, _rules: Rules): string | null {
  return null;
}
