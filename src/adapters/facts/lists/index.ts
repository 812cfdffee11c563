import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fail } from '../../../model/failure.js';
import { hostsOf } from '../../../model/policy/address.js';
import { LARGEST_TEXT } from '../../../importers/index.js';
import type { Spot } from '../../../plan/errors.js';
import { hasPassword, isAddress, pathIn } from '../../git/address.js';
import { GitStopped, NoRepository, type Repository, withRepository } from '../../git/index.js';
import { type Branches, GitRefused, openRemote, type Remote } from '../../git/remote.js';
import { home } from '../../home.js';
import { makePrivate } from '../../private-home.js';
import { linkLocalProblem } from '../../http/link-local.js';
import { shownAnywhere } from '../../http/request.js';
import { listsUnreachable, notARepository, passwordInAddress, placed } from './errors.js';

/** Other repositories than the source's: only commits are read. */
export interface Lists {
  /** Throws GIT_UNREACHABLE, GIT_ADDRESS_PASSWORD or LIST_GIT_ABSENT at the place of `git`. */
  branches(git: string): Promise<Branches>;
  /** Returns texts of a commit's files by path. Null for an absent file. */
  texts(git: string, commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}

interface Around {
  /** Absolute folder of the release file. */
  readonly folder: string;
  /** Place of the key `git`. */
  readonly spot: Spot;
  readonly offline: boolean;
}

export function openLists({ folder, spot, offline }: Around): Lists {
  const read = new Map<string, Promise<Branches>>();
  const told = <T>(git: string, asked: Promise<T>): Promise<T> =>
    asked.catch((error: unknown) => {
      if (error instanceof GitRefused)
        throw fail(listsUnreachable(spot, shownAnywhere(git), withoutPasswords(error.message), offline), error);
      const isOurs = error instanceof NoRepository || error instanceof GitStopped;
      throw isOurs ? fail(notARepository(spot, git, error.message), error) : error;
    });
  const remoteOf = async (git: string): Promise<Remote | null> => {
    if (hasPassword(git)) throw fail(passwordInAddress(spot, shownAnywhere(git)));
    if (!isAddress(git)) return null;
    if (!offline) await assertReachable(git, spot);
    makePrivate(home());
    return openRemote(git, mirrorOf(git), offline);
  };
  const local = <T>(git: string, use: (repository: Repository) => Promise<T>): Promise<T> =>
    withRepository(resolve(folder, pathIn(git)), use);
  return {
    async branches(git) {
      const remote = await remoteOf(git);
      // Branches are read once, so that all answers are of the same commits.
      const asked = read.get(git) ?? told(git, remote === null ? local(git, branchesOf) : remote.branches());
      read.set(git, asked);
      return asked;
    },
    async texts(git, commit, paths) {
      const remote = await remoteOf(git);
      const place = remote === null ? git : await told(git, remote.holding(commit));
      const files = await told(
        git,
        local(place, (repository) =>
          repository.files(`${commit}:`, new Map(paths.map((path) => [path, LARGEST_TEXT]))),
        ),
      );
      return new Map(paths.map((path) => [path, files.get(path)?.text ?? null]));
    },
  };
}

/** Throws ADDRESS_LINK_LOCAL. Git looks a name up again, and says itself that there is none. */
async function assertReachable(git: string, spot: Spot): Promise<void> {
  const whose = spot.path ?? 'a list';
  for (const host of hostsOf({ kind: 'git-tag', address: git })) {
    const problem = await linkLocalProblem(whose, host, shownAnywhere(git)).catch(() => null);
    if (problem !== null) throw fail({ ...problem, ...placed(spot) });
  }
}

const mirrorOf = (address: string): string =>
  join(home(), 'lists', createHash('sha256').update(address).digest('hex').slice(0, 32));

/** Branches of the repository, and of its origin where it has none of that name. */
async function branchesOf(repository: Repository): Promise<Branches> {
  const format = '--format=%(objectname) %(refname)';
  const of = async (refs: string): Promise<readonly (readonly [string, string])[]> => {
    const text = await repository.ask('for-each-ref', format, refs);
    return text.split('\n').flatMap((line) => {
      const [commit, name] = line.split(' ');
      const branch = name?.slice(refs.length + 1);
      return branch === undefined || branch === 'HEAD' ? [] : [[branch, commit!] as const];
    });
  };
  // Git sorts by the name of the ref, whatever the order of the question: one question for both would let origin win.
  return Object.fromEntries([...(await of('refs/remotes/origin')), ...(await of('refs/heads'))]);
}

/** Git repeats addresses, and a redirect may have added a password. */
const withoutPasswords = (words: string): string => words.replace(/:\/\/[^/\s@]*@/g, '://');
