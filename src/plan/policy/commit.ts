import type { Problem } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import type { Policy } from '../../model/schema/policy.js';
import { isNamed } from '../globs.js';
import type { ReadFile } from '../read/release-file.js';
import { branchNotAllowed } from './errors.js';

/** Branches that contain a commit, and its tags. */
export interface Refs {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** Allowed branches and tags, with their place in the policy. */
export interface Allowed {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly path: readonly (string | number)[];
}

/** Returns the allowed names: the row's own, else those of the whole policy. Null if any commit is allowed.
 * @param row index of a row, or null */
export function allowedRefs(policy: Policy, row: number | null): Allowed | null {
  const own = row === null ? undefined : policy.publish[row];
  const isOwn = own?.branches !== undefined || own?.tags !== undefined;
  const { branches, tags } = isOwn ? own! : policy;
  if (branches === undefined && tags === undefined) return null;
  const key = branches === undefined ? 'tags' : 'branches';
  return { branches: branches ?? [], tags: tags ?? [], path: isOwn ? ['publish', row!, key] : [key] };
}

export const namesOf = ({ branches, tags }: Refs): readonly string[] => [
  ...branches,
  ...tags.map((tag) => `tag ${tag}`),
];

/** @param refs of the policy's repository; null: it names none, and the plan's branch counts
 * @param row null for the rule of the whole file, about signed items */
export function commitProblems(
  { content, at }: ReadFile<Policy>,
  row: number | null,
  { source }: Plan,
  refs: Refs | null,
): readonly Problem[] {
  const allowed = allowedRefs(content, row);
  if (allowed === null) return [];
  const said = source.branch === null ? [] : [source.branch];
  const on = source.kind === 'git' ? (refs ?? { branches: said, tags: [] }) : { branches: [], tags: [] };
  const isAllowed =
    on.branches.some((name) => isNamed(name, allowed.branches)) || on.tags.some((name) => isNamed(name, allowed.tags));
  return isAllowed ? [] : [branchNotAllowed(at(allowed.path), whereIs(source, on, refs !== null), namesOf(allowed))];
}

function whereIs(source: Plan['source'], on: Refs, asked: boolean): string {
  if (source.kind !== 'git') return 'the source is an sdist, which is on none';
  const names = namesOf(on);
  const told = names.length === 0 ? 'none' : names.slice(0, 5).join(', ');
  return `${asked ? 'its repository' : 'the plan'} has commit ${source.commit.slice(0, 12)} on ${told}`;
}
