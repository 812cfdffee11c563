import type { Suites } from '../../model/suite.js';
import { suitesOf } from '../../plan/suites/suites.js';
import { textsOf } from '../checkout/texts.js';
import type { Repository } from '../git/index.js';

/** Files that say how a project is tested. */
const TELLING = [
  ...['pyproject.toml', 'tox.ini', 'setup.cfg', 'pytest.ini', '.pytest.ini'],
  ...['Cargo.toml', 'src/lib.rs', 'src/main.rs', 'package.json'],
];
const MOST_FOLDERS = 20;

/** Finds the suites of folders of a commit, by three runs of git. A tree whose list has more than 4 MiB has none.
 * @param tree `COMMIT:` or `COMMIT:folder/` @param folders paths in it, empty for itself; the first 20 are searched */
export async function suitesIn(repository: Repository, tree: string, folders: readonly string[]): Promise<Suites> {
  const searched = folders.slice(0, MOST_FOLDERS);
  if (searched.length === 0) return {};
  const listed = await repository.ask('ls-tree', '-r', '-z', tree).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return '';
    throw error;
  });
  // Links and submodules have other modes.
  const all = listed.split('\0').flatMap((line) => /^100\d+ [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
  const known = new Set(all);
  const wanted = searched.flatMap((folder) => TELLING.map((file) => inside(folder, file)));
  const { texts, toml } = await textsOf(
    repository,
    tree,
    wanted.filter((path) => known.has(path)),
  );
  return Object.fromEntries(
    searched.map((folder) => {
      const top = inside(folder, '');
      const paths = all.flatMap((path) => (path.startsWith(top) ? [path.slice(top.length)] : []));
      return [folder, suitesOf({ paths, texts: below(texts, top), toml: below(toml, top) })];
    }),
  );
}

const inside = (folder: string, file: string): string => (folder === '' ? file : `${folder}/${file}`);

const below = <T>(files: Readonly<Record<string, T>>, top: string): Record<string, T> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, one]) => (path.startsWith(top) ? [[path.slice(top.length), one]] : [])),
  );
