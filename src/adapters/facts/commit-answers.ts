import type { Ask, ImportFacts } from '../../importers/index.js';
import type { Repository } from '../git/index.js';

/** Answers so far, which grow. */
export type Answers = { -readonly [K in keyof ImportFacts]: Record<string, ImportFacts[K][string]> };
export const noAnswers = (): Answers => ({ text: {}, folder: {}, present: {}, id: {} });

/** Adds answers to questions. */
export type Answer = (asks: readonly Ask[], into: Answers) => Promise<void>;

/** Answers from a commit. @param top `COMMIT:` or `COMMIT:folder/` */
export function answersOf(repository: Repository, top: string): Answer {
  return async (asks, into) => {
    const paths = (...kinds: readonly Ask['ask'][]): readonly string[] =>
      asks.flatMap(({ ask, path }) => (kinds.includes(ask) ? [path] : []));
    const files = await repository.files(top, [...new Set(paths('text', 'present', 'id'))], new Set(paths('text')));
    for (const path of paths('text')) into.text[path] = files.get(path)?.text ?? null;
    for (const path of paths('present')) into.present[path] = files.has(path);
    for (const path of paths('id')) into.id[path] = files.get(path)?.id ?? null;
    for (const path of paths('folder'))
      into.folder[path] = await repository
        .ask('ls-tree', '-z', '--name-only', `${top}${path === '.' ? '' : path}`)
        .then(
          (names) => names.split('\0').filter(Boolean),
          () => null,
        );
  };
}

/** Answers from a record of former answers. @param absent called with a question that it lacks */
export function answersFrom(record: ImportFacts, absent: (path: string) => never): Answer {
  return async (asks, into) => {
    for (const { ask, path } of asks) {
      const known: Readonly<Record<string, unknown>> = record[ask];
      (into[ask] as Record<string, unknown>)[path] = Object.hasOwn(known, path) ? known[path] : absent(path);
    }
  };
}
