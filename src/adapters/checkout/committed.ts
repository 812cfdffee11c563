import type { GitFacts } from '../../plan/facts.js';
import type { Repository } from '../git/index.js';
import { MOST_READ, TELLING } from './read.js';
import { textsOf } from './texts.js';

/** Reads what a commit's snapshot is made of. Executes nothing of the repository.
 * @param tree `COMMIT:` or `COMMIT:folder/` */
export async function committed(repository: Repository, tree: string): Promise<GitFacts['history'] & object> {
  const commit = tree.slice(0, tree.indexOf(':'));
  const linesOf = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await repository.ask(...args)).split(/[\0\n]/).filter((line) => line !== '');
  const [count, tags, paths] = await Promise.all([
    repository.ask('rev-list', '--count', commit),
    linesOf('for-each-ref', `--merged=${commit}`, '--format=%(refname:strip=2)', 'refs/tags'),
    linesOf('ls-tree', '-r', '-z', '--name-only', tree),
  ]);
  const telling = paths.filter((path) => TELLING.test(path)).slice(0, MOST_READ);
  const texts = await textsOf(repository, tree, telling);
  const git = { folder: '', hasCommit: true, tags, remote: null, suites: {} };
  return { count: Number(count), name: '', git, paths, ...texts, fitsBundle: true };
}
