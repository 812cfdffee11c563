import { CONTROL } from '../../model/ids.js';
import { isVariable, type Use } from '../../model/secret.js';
import { rowOf, type Asked, type PolicyFile } from './judge.js';
import { pathOf } from './secrets.js';

/** Returns who lets a step look a reference up: a line of the policy, SLIPWAY_BUILD_ENV. Null: nobody.
 * @param listed names in SLIPWAY_BUILD_ENV */
export function grantedBy(
  { reference, on }: Use,
  asked: Asked | null,
  policy: PolicyFile | null,
  listed: ReadonlySet<string>,
): string | null {
  const builds = on !== CONTROL;
  if (builds && !(isVariable(reference) && listed.has(reference.slice(1)))) return null;
  if (policy === null) return builds ? 'SLIPWAY_BUILD_ENV' : isVariable(reference) ? 'no policy limits it' : null;
  const path = pathOf(policy.content, reference, asked && rowOf(policy.content, asked));
  return path && `${policy.at(path).place?.file}:${policy.at(path).place?.line}`;
}
