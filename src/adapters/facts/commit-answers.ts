import type { CommitAsk } from '../../importers/index.js';
import type { Repository } from '../git/index.js';
import type { Answers } from './answers.js';

/** Adds answers from a commit. @param top `COMMIT:` or `COMMIT:folder/` */
export async function answerFromCommit(
  repository: Repository,
  top: string,
  asks: readonly CommitAsk[],
  into: Answers,
): Promise<void> {
  const paths = (...kinds: readonly CommitAsk['ask'][]): readonly string[] =>
    asks.flatMap(({ ask, path }) => (kinds.includes(ask) ? [path] : []));
  const files = await repository.files(top, [...new Set(paths('text', 'present', 'id'))], new Set(paths('text')));
  for (const path of paths('text')) into.text[path] = files.get(path)?.text ?? null;
  for (const path of paths('present')) into.present[path] = files.has(path);
  for (const path of paths('id')) into.id[path] = files.get(path)?.id ?? null;
  for (const path of paths('folder'))
    into.folder[path] = await repository.ask('ls-tree', '-z', '--name-only', `${top}${path === '.' ? '' : path}`).then(
      (names) => names.split('\0').filter(Boolean),
      () => null,
    );
}
