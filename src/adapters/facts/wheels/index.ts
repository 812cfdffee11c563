import { fail, type Problem, SlipwayFailure } from '../../../model/failure.js';
import type { Facts, GitFacts, TakenWheel } from '../../../plan/facts.js';
import { inOrder } from '../../../plan/in-order.js';
import { ownWheel, ownWheels } from '../../../plan/own-wheels.js';
import { problems } from '../../../plan/taken/errors.js';
import { gitSourceOf } from '../../../plan/git-source.js';
import { readGit, readSources } from '../git.js';
import { type Resolving, resolveWheel } from './resolve.js';

type Gathered = Pick<Facts, 'git' | 'sources'> & { readonly wheels: Readonly<Record<string, TakenWheel>> };

interface Asked extends Omit<Resolving, 'git' | 'facts'> {
  /** Awaited only where a wheel is taken. */
  readonly facts: Promise<Facts>;
}

/** Decides the source's commit and all wheels that are taken. One may follow from the other: `source.commit: wheels/NAME`.
 * Throws every problem of the wheels at once. */
export async function readCommits({ facts, ...asked }: Asked): Promise<Gathered> {
  const { file, folder, given } = asked;
  const taken = ownWheels(file.content).filter(([, { from }]) => from !== undefined);
  const names = taken.map(([name]) => name);
  const strange = Object.keys(given.wheels ?? {}).filter((name) => !names.includes(name));
  if (strange.length > 0) throw fail(strange.map((name) => problems.notTaken({}, name, names)));
  const leader = leaderOf(asked, names);
  const first = leader === null ? null : await lead(leader, { ...asked, facts: await facts });
  const { snapshot } = given;
  const [git, sources] = await Promise.all([readGit(file, folder, { ...first, snapshot }), readSources(file, folder)]);
  const wheels: Record<string, TakenWheel> = first === null ? {} : { [leader!]: first.wheel };
  const found: Problem[] = [];
  for (const [name, wheel] of taken)
    if (name !== leader)
      await resolveWheel(name, wheel, { ...asked, facts: await facts, git }).then(
        (one) => (wheels[name] = one),
        noting(found),
      );
  if (found.length > 0) throw fail(inOrder(found));
  return { git, ...(sources !== null && { sources }), wheels };
}

/** The wheel whose commit is the source's. */
function leaderOf({ file }: Pick<Resolving, 'file'>, names: readonly string[]): string | null {
  const name = /^wheels\/(.+)$/.exec(gitSourceOf(file.content)?.commit ?? '')?.[1];
  return name !== undefined && names.includes(name) ? name : null;
}

interface Lead extends Pick<GitFacts, 'commit' | 'branch'> {
  readonly wheel: TakenWheel;
}

async function lead(name: string, resolving: Omit<Resolving, 'git'>): Promise<Lead> {
  const wheel = await resolveWheel(name, ownWheel(resolving.file.content, name)!, { ...resolving, git: null });
  const { commit, branch, take } = wheel;
  if (commit === null) throw fail(problems.withoutCommit(resolving.file.at(['source', 'commit']), name, take));
  return { wheel, commit, branch };
}

const noting =
  (found: Problem[]) =>
  (error: unknown): void => {
    if (!(error instanceof SlipwayFailure)) throw error;
    found.push(...error.problems);
  };
