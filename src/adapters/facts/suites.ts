import type { JsonObject } from '../../model/json.js';
import type { Suite } from '../../model/suite.js';
import { suitesOf } from '../../plan/suites/suites.js';
import type { Repository } from '../git/index.js';
import { parsedToml } from '../toml.js';

/** Files that say how a project is tested. */
const TELLING = [
  ...['pyproject.toml', 'tox.ini', 'setup.cfg', 'pytest.ini', '.pytest.ini'],
  ...['Cargo.toml', 'src/lib.rs', 'src/main.rs', 'package.json'],
];
const LONGEST_BYTES = 256 * 1024;

/** Finds the suites of a folder of a commit, by three runs of git. A commit with more than 4 MiB of paths has none.
 * @param folder from the top of the repository; empty for the top */
export async function suitesAt(repository: Repository, commit: string, folder: string): Promise<readonly Suite[]> {
  const top = folder === '' ? `${commit}:` : `${commit}:${folder}/`;
  const names = repository.ask('ls-tree', '-r', '-z', '--name-only', top).catch(() => '');
  const files = await repository.files(top, new Map(TELLING.map((path) => [path, LONGEST_BYTES])));
  const texts = [...files].flatMap(([path, { text }]) => (text === null ? [] : [[path, text] as const]));
  const toml = texts
    .filter(([path]) => path.endsWith('.toml'))
    .map(([path, text]) => [path, parsedToml(path, text).data] as const);
  return suitesOf({
    paths: (await names).split('\0').filter(Boolean),
    texts: Object.fromEntries(texts),
    toml: Object.fromEntries(toml.filter((one): one is [string, JsonObject] => one[1] !== undefined)),
  });
}
