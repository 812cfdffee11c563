import type { Target } from '../model/target.js';
import { rehearsalElsewhere } from '../model/policy/errors.js';
import { placeOf } from '../model/policy/place.js';
import type { Context } from './context.js';

/** Refuses a rehearsal's target that is not on this machine, at the line of its address in the profile. */
export function mustBeHere(target: Target, row: readonly string[], context: Context): void {
  if (!context.profile.rehearsal) return;
  const place = placeOf(target);
  if (place.here) return;
  const { at } = context.facts.profile;
  const spot = at?.([...row, place.key]) ?? context.at(['publish', target.name]);
  context.complain({ ...rehearsalElsewhere({ target: target.name, ...place }), ...spot });
}
