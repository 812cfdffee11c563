import type { BisectSpan } from '../../model/bisect.js';
import { fail, type Problem } from '../../model/failure.js';
import { gitSourceOf } from '../../plan/git-source.js';
import { notAPipeline } from '../../plan/probe.js';
import { GitStopped, type Repository } from '../git/index.js';
import { mistakes } from './bisect-errors.js';
import { askRepository, commitOf } from './git.js';
import { readReleaseText, parsedRelease } from './release-text.js';

export interface Ends {
  /** Names of commits, as git takes them. */
  readonly good: string;
  readonly bad: string;
}

/** The workflow keeps all hashes in its history. */
const MOST_COMMITS = 2000;

/** Returns the commits between two, on the first-parent line of the source's repository. Throws BISECT_… if they cannot be bisected.
 * @param file path of the release file */
export async function readSpan(file: string, ends: Ends): Promise<BisectSpan> {
  const read = await readReleaseText(file, process.cwd());
  const release = parsedRelease(read);
  const { pipeline, release: head, standings } = release.content;
  const source = gitSourceOf(release.content);
  if (pipeline === undefined) throw fail(notAPipeline(head!.name));
  if (source === null) throw fail(mistakes.noGitSource(release.at(['source'])));
  const commits = await askRepository(read.folder, source.git, release.at(['source', 'git']), (repository) =>
    spanOf(repository, ends, source.git),
  );
  return { pipeline: pipeline.name, commits, ...(standings && { branch: standings.branch }) };
}

async function spanOf(repository: Repository, ends: Ends, folder: string): Promise<readonly string[]> {
  const { good, bad } = await hashesOf(repository, ends, folder);
  if (good === bad) throw fail(mistakes.sameCommit(ends, good));
  const asked = ['rev-list', '--first-parent', '--reverse', '--parents', `${good}..${bad}`];
  const lines = (await repository.ask(...asked)).split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw fail(mistakes.swapped(ends));
  const [, parent] = lines[0]!.split(' ');
  if (parent !== good) throw fail(mistakes.noPath(ends));
  if (lines.length >= MOST_COMMITS) throw fail(mistakes.tooLong(ends, lines.length, MOST_COMMITS));
  return [good, ...lines.map((line) => line.slice(0, line.indexOf(' ')))];
}

/** Throws BISECT_COMMIT_ABSENT with every unknown end. */
async function hashesOf(repository: Repository, ends: Ends, folder: string): Promise<Ends> {
  const found: Problem[] = [];
  const hash = async (end: keyof Ends): Promise<string> =>
    commitOf(repository, ends[end]).catch((error: unknown) => {
      if (error instanceof GitStopped) throw error;
      found.push(mistakes.commitAbsent(end, ends[end], folder));
      return '';
    });
  const [good, bad] = [await hash('good'), await hash('bad')];
  if (found.length > 0) throw fail(found);
  return { good, bad };
}
