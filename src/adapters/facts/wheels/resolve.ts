import type { WheelServer } from '../../../activities/wheels/taken/ports.js';
import { fail } from '../../../model/failure.js';
import type { Given } from '../../../model/plan.js';
import { withAnyPython } from '../../../model/python/fitting-wheel.js';
import type { Wheel } from '../../../model/schema/sections/builds.js';
import type { Spot } from '../../../plan/errors.js';
import type { Facts, GitFacts, TakenWheel } from '../../../plan/facts.js';
import { gitSourceOf } from '../../../plan/git-source.js';
import type { ReadFile } from '../../../plan/read/release-file.js';
import { problems } from '../../../plan/taken/errors.js';
import { type CommitOf, placeOf } from '../../../plan/taken/place.js';
import { readTake, type Take } from '../../../plan/taken/take.js';
import { usedVariants } from '../../../plan/taken/used.js';
import { versionOf } from '../../../plan/version.js';
import { readFiles } from './files.js';
import { type Candidate, firstWithAll } from './newest.js';
import { type Commits, type OfBranch, withCommits } from './repository.js';

/** All that deciding about a wheel needs. */
export interface Resolving {
  readonly file: ReadFile;
  /** Absolute folder of the release file. */
  readonly folder: string;
  readonly facts: Facts;
  readonly given: Given;
  /** The source's commit; null where that follows from the wheel, or is none. */
  readonly git: GitFacts | null;
  readonly server: WheelServer;
}

interface Taking extends Resolving {
  readonly name: string;
  readonly wheel: Wheel;
  readonly from: NonNullable<Wheel['from']>;
  /** As it was said. */
  readonly said: string;
  readonly spot: Spot;
}

/** Decides which wheel is taken. Throws the first problem. */
export async function resolveWheel(name: string, wheel: Wheel, resolving: Resolving): Promise<TakenWheel> {
  const from = wheel.from!;
  const said = resolving.given.wheels?.[name] ?? from.take;
  const spot = resolving.file.at(['wheels', name, 'from', ...(from.take === '' ? [] : ['take'])]);
  const take = readTake(said);
  if (take === null) throw fail(problems.notATake(spot, said));
  return { take: said, ...(await found(take, { ...resolving, name, wheel, from, said, spot })) };
}

type Found = Omit<TakenWheel, 'take'>;

async function found(take: Take, taking: Taking): Promise<Found> {
  switch (take.kind) {
    case 'source':
      return ofSource(taking);
    case 'commit':
      return ofCommit(take.commit, take.owner, taking);
    case 'short':
      return withCommits({ ...taking, take: taking.said }, async (commits) =>
        ofCommit(await commits.find(take.hash), null, taking),
      );
    case 'branch':
      return ofBranches([take.branch], take.owner, taking);
    case 'latest':
      if (taking.from.branches.length === 0) throw fail(problems.noBranches(taking.spot));
      return ofBranches(taking.from.branches, null, taking);
    case 'address':
      return { commit: take.commit, branch: null, from: { at: withAnyPython(take.address) } };
    case 'file':
      return { commit: null, branch: null, from: { files: await readFiles(take.path, taking) } };
    case 'store':
      return ofSource({ ...taking, from: { ...taking.from, at: `store:${take.release}/{branch}/{commit}/` } });
    default:
      return take satisfies never;
  }
}

async function ofSource(taking: Taking): Promise<Found> {
  const { git, spot, name } = taking;
  if (git === null)
    throw fail(gitSourceOf(taking.file.content) ? problems.ofItself(spot, name) : problems.needsGit(spot, ''));
  const named = await branchIn(git.commit, taking);
  return place({ commit: git.commit, branch: named ?? git.branch, owner: null }, taking);
}

async function ofCommit(commit: string, owner: string | null, taking: Taking): Promise<Found> {
  const foreign = await foreignOwner(owner, taking);
  return place({ commit, branch: foreign === null ? await branchIn(commit, taking) : null, owner: foreign }, taking);
}

const place = (of: CommitOf, taking: Taking): Found => ({
  commit: of.commit,
  branch: of.branch,
  from: { at: placeOf({ ...taking, profile: taking.facts.profile }, of) },
});

/** The branch of a commit, where the address asks for one. */
async function branchIn(commit: string, taking: Taking): Promise<string | null> {
  const { branches, at } = taking.from;
  if (!at.includes('{branch}') || branches.length === 0) return null;
  return withCommits({ ...taking, take: taking.said }, (commits) => commits.branchOf(commit, branches));
}

/** Null for the owner of the repository itself: its wheels are no fork's. */
const foreignOwner = async (owner: string | null, taking: Taking): Promise<string | null> =>
  owner === null || gitSourceOf(taking.file.content) === null
    ? owner
    : withCommits({ ...taking, take: taking.said }, async (commits) => ((await commits.isOwn(owner)) ? null : owner));

/** The newest commit of these branches that has wheels for all Pythons that are used. */
async function ofBranches(branches: readonly string[], owner: string | null, taking: Taking): Promise<Found> {
  if (taking.from.at.startsWith('store:')) throw fail(problems.storeBranch(taking.spot, taking.said));
  const foreign = await foreignOwner(owner, taking);
  return withCommits({ ...taking, take: taking.said }, async (commits) => {
    const newest = await commits.newest(branches, foreign);
    async function* candidates(): AsyncGenerator<Candidate> {
      for (const one of newest) yield candidateOf({ ...one, owner: foreign }, commits, taking);
    }
    const asked = { name: taking.name, branch: branches.join(', '), spot: taking.spot };
    const { commit, branch, at } = await firstWithAll(candidates(), taking.server, asked);
    return { commit, branch, from: { at } };
  });
}

async function candidateOf(of: CommitOf & OfBranch, commits: Commits, taking: Taking): Promise<Candidate> {
  const { file, facts, name } = taking;
  const at = placeOf({ ...taking, profile: facts.profile }, of);
  const version = at.includes('{version}') ? await versionAt(of.commit, commits, file) : '0';
  return { commit: of.commit, branch: of.branch, at, variants: usedVariants(name, file, facts, version) };
}

async function versionAt(commit: string, commits: Commits, file: ReadFile): Promise<string> {
  const { release } = file.content;
  if (release === undefined) return '0';
  const { version } = release;
  const files = typeof version === 'string' ? {} : { [version.file]: await commits.text(commit, version.file) };
  return versionOf(release, file, { git: { commit, branch: null, epoch: 0, files } }, []);
}
