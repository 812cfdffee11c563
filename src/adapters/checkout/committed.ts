import type { CommitFiles } from '../../model/checkout.js';
import type { Suites } from '../../model/suite.js';
import type { GitFacts } from '../../plan/facts.js';
import { inFolder } from '../../plan/init/lookup.js';
import { suitesOf } from '../../plan/suites/suites.js';
import type { Repository } from '../git/index.js';
import { parsedToml } from '../toml.js';

/** Limits of texts that are read: of each, and how many. */
const LONGEST_BYTES = 256 * 1024;
const MOST_READ = 300;
const MOST_FOLDERS = 20;

/** Files that describe a project, or say how it is tested. */
const TELLING =
  /(^|\/)(pyproject\.toml|Cargo\.toml|setup\.py|setup\.cfg|pom\.xml|Dockerfile|PKG-INFO|VERSION|__init__\.py|_?version\.py|__about__\.py|tox\.ini|\.?pytest\.ini|package\.json|src\/(lib|main)\.rs)$/;

/** Reads files of a commit, the nearest texts first. Executes nothing of the repository. Of a tree whose list has more than 64 MiB it
 * reads the top.
 * @param tree `COMMIT:` or `COMMIT:folder/` @param isWanted whether a telling file is read */
export async function committedFiles(
  repository: Repository,
  tree: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<CommitFiles> {
  const listed = await repository.ask('ls-tree', '-r', '-z', tree).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw error;
    return repository.ask('ls-tree', '-z', tree);
  });
  // Links and submodules have other modes.
  const paths = listed.split('\0').flatMap((line) => /^100\d+ [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
  const telling = paths.filter((path) => TELLING.test(path) && isWanted(path)).sort((a, b) => depth(a) - depth(b));
  const wanted = telling.slice(0, MOST_READ).map((path) => [path, LONGEST_BYTES] as const);
  const files = [...(await repository.files(tree, new Map(wanted)))];
  const texts = files.flatMap(([path, { text }]) => (text === null ? [] : [[path, text] as const]));
  const parsed = texts
    .filter(([path]) => path.endsWith('.toml'))
    .map(([path, text]) => [path, parsedToml(path, text)] as const);
  return {
    ...{ paths, texts: Object.fromEntries(texts) },
    toml: Object.fromEntries(parsed.flatMap(([path, { data }]) => (data ? [[path, data]] : []))),
    broken: parsed.flatMap(([, { broken }]) => broken ?? []),
  };
}

const depth = (path: string): number => path.split('/').length;

/** Finds the suites of folders of a commit, by three runs of git.
 * @param folders paths in the tree, empty for itself; the first 20 are searched */
export async function suitesIn(repository: Repository, tree: string, folders: readonly string[]): Promise<Suites> {
  const searched = folders.slice(0, MOST_FOLDERS);
  if (searched.length === 0) return {};
  const tops = searched.map((folder) => inFolder({ path: folder }, ''));
  const isNear = (path: string): boolean =>
    tops.some((top) => path.startsWith(top) && /^(src\/)?[^/]+$/.test(path.slice(top.length)));
  const checkout = await committedFiles(repository, tree, isNear);
  return Object.fromEntries(searched.map((path) => [path, suitesOf({ path, checkout })]));
}

/** Reads what a commit's snapshot is made of. */
export async function historyOf(repository: Repository, tree: string): Promise<GitFacts['history'] & object> {
  const commit = tree.slice(0, tree.indexOf(':'));
  const [count, tags, files] = await Promise.all([
    repository.ask('rev-list', '--count', commit),
    repository.ask('for-each-ref', `--merged=${commit}`, '--format=%(refname:strip=2)', 'refs/tags'),
    committedFiles(repository, tree),
  ]);
  const git = { folder: '', hasCommit: true, tags: tags.split('\n').filter(Boolean), remote: null };
  return { count: Number(count), name: '', git, ...files, fitsBundle: true };
}
