import type { Connection } from '../activities/publish/ports.js';
import { fail } from '../model/failure.js';
import type { TargetExtra } from '../model/target.js';
import { targetWithoutExtra } from './http/errors.js';

/** Returns the part of the plan for this kind of target. Throws TARGET_WITHOUT_EXTRA. */
export function extraOf<K extends TargetExtra['kind']>(to: Connection, kind: K): Extract<TargetExtra, { kind: K }> {
  if (to.extra?.kind !== kind) throw fail(targetWithoutExtra(to.name, kind));
  return to.extra as Extract<TargetExtra, { kind: K }>;
}
