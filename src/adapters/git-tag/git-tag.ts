import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { shownAnywhere } from '../http/request.js';
import { extraOf } from '../target-extra.js';
import { commitNotThere, tagElsewhere } from './errors.js';
import { openGit, type Git } from './git.js';
import { saysNoCommit } from './judge.js';

/** Pushes an annotated tag on the released commit, which the repository must hold already. The push is never forced,
 * so git refuses an existing tag. */
export function createGitTag(to: Connection, session: Session): PublishTarget {
  const { tag, commit, message } = extraOf(to, 'git-tag');
  let opened: Promise<Git> | null = null;
  const git = (): Promise<Git> => (opened ??= openGit(to, session));
  return {
    async prove(_project, _version, _tags, items = []) {
      const seen = await commitBehind(await git(), tag);
      // Later `observe` treats another commit as a conflict.
      if (items.length === 0 && seen !== null && seen !== commit) throw fail(tagElsewhere(to.name, tag, seen, commit));
      await fetchCommit(to, await git(), commit);
      if (seen === null) await mayPush(await git(), tag, commit);
      return []; // a tag on this commit counts as published
    },
    items: (artifact) => [
      {
        artifact: { ...artifact, digest: standIn(commit), name: tag },
        name: tag,
        url: `${shownAnywhere(to.address)}#${tag}`,
      },
    ],
    observe: async (item) => observe(await git(), item),
    upload: async () => push(to, session, await git(), { tag, commit, message }),
    source: async () => ({ address: (await git()).shown, credential: null }),
  };
}

/** A tag has no bytes: its commit hash, padded to the length of a digest, is compared instead. */
const standIn = (commit: string): Digest => `sha256:${commit.padEnd(64, '0')}`;

async function observe(git: Git, { name }: Item): Promise<Observed> {
  const seen = await commitBehind(git, name);
  return seen === null ? { state: 'absent' } : { state: 'present', digest: standIn(seen) };
}

/** Returns the commit of a tag, annotated or not. Null if the tag does not exist. */
async function commitBehind(git: Git, tag: string): Promise<string | null> {
  const ref = `refs/tags/${tag}`;
  const text = await git.ask('a look at its tags', ['ls-remote', 'origin', ref, `${ref}^{}`]);
  const refs = new Map(text.split('\n').map((line) => line.split('\t').reverse() as [string, string]));
  return refs.get(`${ref}^{}`) ?? refs.get(ref) ?? null;
}

/** Fetches the commit. If the server refuses single commits, fetches all branches and tags. */
async function fetchCommit(to: Connection, git: Git, commit: string): Promise<void> {
  const { ok, words } = await git.tryTo(['fetch', '-q', '--no-tags', '--depth=1', 'origin', commit]);
  if (ok) return;
  if (!saysNoCommit(words)) await git.ask('a look at the commit', ['ls-remote', 'origin', 'HEAD']);
  const everything = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/remotes/tags/*'];
  await git.ask('a fetch', ['fetch', '-q', '--no-tags', 'origin', ...everything]);
  const { ok: found } = await git.tryTo(['cat-file', '-e', `${commit}^{commit}`]);
  if (!found) throw fail(commitNotThere(to.name, git.shown, commit));
}

/** Checks the credential before anything is built; a dry run sends nothing. */
const mayPush = (git: Git, tag: string, commit: string): Promise<string> =>
  git.ask(`a push of the tag ${tag}`, ['push', '-q', '--dry-run', 'origin', `${commit}:refs/tags/${tag}`]);

interface Tag {
  readonly tag: string;
  readonly commit: string;
  readonly message: string;
}

/** The tag has its commit's time, so that two attempts make the same object. */
async function push(to: Connection, session: Session, git: Git, { tag, commit, message }: Tag): Promise<void> {
  await fetchCommit(to, git, commit);
  const at = (await git.ask('a look at the commit', ['show', '-s', '--format=%cI', commit])).trim();
  const text = join(session.folder, 'message');
  await writeFile(text, `${message}\n`);
  const who = { GIT_COMMITTER_NAME: 'Slipway', GIT_COMMITTER_EMAIL: 'slipway@localhost', GIT_COMMITTER_DATE: at };
  await git.ask('a tag', ['tag', '--force', '--annotate', '--file', text, '--', tag, commit], who);
  session.log.write(`pushing the tag ${tag} on ${commit} to ${git.shown}\n`);
  await git.ask(`a push of the tag ${tag}`, ['push', '-q', 'origin', `refs/tags/${tag}`]);
}
