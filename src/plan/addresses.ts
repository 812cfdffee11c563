import { addressProblem } from '../model/policy/address.js';
import { placeOf, type Receiver } from '../model/policy/place.js';
import { receiversIn } from './policy/receivers.js';
import type { Target } from '../model/target.js';
import type { Context } from './context.js';
import type { Spot } from './errors.js';

/** Refuses a target's address that no plan may have, at its line in the profile. */
export function judgeTargetAddress(target: Target, row: readonly string[], context: Context): void {
  const place = placeOf(target);
  const spot = context.facts.profile.at?.([...row, place.here ? 'address' : place.key]);
  judge(target, spot ?? context.at(['publish', target.name]), context);
}

/** Refuses every other address that no plan may have, at its line in the profile or in the release file. */
export function judgeAddresses(plan: Parameters<typeof receiversIn>[0], context: Context): void {
  for (const one of receiversIn(plan)) {
    const [section, name, key] = one.path ?? [];
    if (one.path === undefined) continue;
    const { at, content } = context.facts.profile;
    const rows = (content as Record<string, unknown>)[section!] as Record<string, object> | undefined;
    const isInProfile = name === undefined || key! in (rows?.[name] ?? {});
    judge(one, (isInProfile && at?.(one.path)) || context.at(one.path), context);
  }
}

function judge(one: Receiver, spot: Spot, context: Context): void {
  const problem = addressProblem(one, context.profile.rehearsal);
  if (problem !== null) context.complain({ ...problem, ...spot });
}
