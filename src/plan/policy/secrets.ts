import type { Problem } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import type { Receiver } from '../../model/policy/place.js';
import type { Policy } from '../../model/schema/policy.js';
import { isVariable, secretName, secretReference, secretsOf } from '../../model/secret.js';
import { takesHomeLogin } from '../../model/service-login.js';
import type { Path } from '../errors.js';
import type { ReadFile } from '../read/release-file.js';
import { refusals, secretUnnamed } from './errors.js';

/** A target whose address was resolved, with the plan's text: it says whether a service's own credential is used. */
type Resolved = Receiver & { readonly planned?: string };

export function secretsFor(target: Resolved): readonly string[] {
  if (takesHomeLogin({ ...target, address: target.planned ?? target.address })) return [];
  const { username, password, extra } = target;
  const lines = extra?.kind === 'command' ? extra.secrets.map((name) => `$${name}`) : [];
  return [username, password, ...lines].filter((one): one is string => one !== null && secretReference(one) !== null);
}

/** Whether the policy names a reference, for everything or for a target. */
export const isNamed = (policy: ReadFile<Policy> | null, reference: string): boolean =>
  policy !== null && [policy.content, ...policy.content.publish].some(({ secrets }) => secrets.includes(reference));

/** Returns the path in the policy that lets a target, or a step without one, look a reference up. Null: none does. A
 * reference may be a command line, so the texts must be equal.
 * @param row of the target. Null without one */
export function pathOf(policy: Policy, reference: string, row: number | null): Path | null {
  if (policy.secrets.includes(reference)) return ['secrets'];
  return row !== null && policy.publish[row]!.secrets.includes(reference) ? ['publish', row, 'secrets'] : null;
}

/** Refuses secrets that neither the target's row nor the whole policy names. */
export function targetSecretProblems(
  { content, at }: ReadFile<Policy>,
  row: number | null,
  target: Resolved,
): readonly Problem[] {
  const found = secretsFor(target).filter((one) => pathOf(content, one, row) === null);
  const spot = at(row === null ? ['secrets'] : ['publish', row, 'secrets']);
  return found.length === 0 ? [] : [refusals.secretNotAllowed(spot, `target ${target.name}`, found.map(secretName))];
}

/** Refuses secrets of users without a target: a signing key, an announcement, a listener. */
export function secretProblems(
  { content, at }: ReadFile<Policy>,
  user: string,
  used: Pick<Plan, 'steps' | 'notify'>,
): readonly Problem[] {
  const found = secretsOf(used).filter((one) => !content.secrets.includes(one));
  return found.length === 0 ? [] : [refusals.secretNotAllowed(at(['secrets']), user, found.map(secretName))];
}

/** Refuses files and commands that announcements look up and no policy names. An announcement itself would report it
 * after everything is published. */
export const announceProblems = (policy: ReadFile<Policy> | null, path: string, { steps }: Plan): readonly Problem[] =>
  secretsOf({ steps: steps.filter(({ kind }) => kind === 'announceRelease') })
    .filter((one) => !isVariable(one) && !isNamed(policy, one))
    .map((one) => secretUnnamed(one, path));
