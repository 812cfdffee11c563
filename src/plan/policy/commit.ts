import type { Problem } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { ownSourcesOf } from '../../model/sources.js';
import type { Policy } from '../../model/schema/policy.js';
import { isNamed } from '../../model/schema/globs.js';
import type { ReadFile } from '../read/release-file.js';
import { refusals } from './errors.js';

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

/** Branches and tags of commits in the policy's repository, by commit. */
export type RefsOfCommits = Readonly<Record<string, Refs>>;

/** Returns the sources of a plan. Every one of them must be allowed. */
const sourcesOf = (plan: Plan): readonly Plan['source'][] => [
  ...(plan.source.kind === 'none' ? [] : [plan.source]),
  ...ownSourcesOf(plan).map(({ ref }) => ({ ...ref, branch: null })),
];

/** Asks for the branches and tags of every commit that a plan is built from. */
export async function refsOfCommits(plan: Plan, ask: (commit: string) => Promise<Refs>): Promise<RefsOfCommits> {
  const commits = new Set(sourcesOf(plan).flatMap((source) => (source.kind === 'git' ? [source.commit] : [])));
  return Object.fromEntries(
    await Promise.all([...commits].map(async (commit) => [commit, await ask(commit)] as const)),
  );
}

/** @param refs of the policy's repository; null: it names none, and the plan's branch counts
 * @param row null for the rule of the whole file, about signed items */
export function commitProblems(
  { content, at }: ReadFile<Policy>,
  row: number | null,
  plan: Plan,
  refs: RefsOfCommits | null,
): readonly Problem[] {
  const allowed = allowedRefs(content, row);
  if (allowed === null) return [];
  return sourcesOf(plan).flatMap((source) => {
    const on = refsOf(source, refs);
    const isAllowed =
      on.branches.some((name) => isNamed(name, allowed.branches)) ||
      on.tags.some((name) => isNamed(name, allowed.tags));
    return isAllowed
      ? []
      : [refusals.branchNotAllowed(at(allowed.path), whereIs(source, on, refs !== null), namesOf(allowed))];
  });
}

function refsOf(source: Plan['source'], refs: RefsOfCommits | null): Refs {
  if (source.kind !== 'git') return NOWHERE;
  if (refs === null) return { branches: source.branch === null ? [] : [source.branch], tags: [] };
  return refs[source.commit] ?? NOWHERE;
}

const NOWHERE: Refs = { branches: [], tags: [] };

function whereIs(source: Plan['source'], on: Refs, asked: boolean): string {
  if (source.kind === 'sdist') return `the source ${source.name}==${source.version} is an sdist, which is on none`;
  if (source.kind === 'none') return 'there is no source';
  const names = namesOf(on);
  const told = names.length === 0 ? 'none' : names.slice(0, 5).join(', ');
  return `${asked ? 'its repository' : 'the plan'} has commit ${source.commit.slice(0, 12)} on ${told}`;
}
