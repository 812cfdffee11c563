import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { assertInside, writeInside } from '../../../activities/step/inside.js';
import type { Work } from '../../../activities/work.js';
import { spack } from '../kinds.js';
import type { StoredEnvironment } from './environments.js';

type WorkerEnv = Readonly<Record<string, string | undefined>>;
type Named = Readonly<Record<string, string>>;

/** Folders that a line of Spack uses. */
export interface SpackFolders {
  /** Spack's index of packages. */
  readonly index: string;
  /** Build caches. Null: nothing is installed. */
  readonly caches: {
    /** Spack takes the dependencies from it. */
    readonly from: string;
    /** Spack puts what it built into it. */
    readonly to: string;
  } | null;
}

/** A folder for the files of Spack, and the paths at which Spack sees them. */
export type SpackPlace = Pick<Work, 'folder' | 'paths'>;

/** The beginning of a line of Spack, and its variables. */
export interface SpackCall {
  readonly argv: readonly string[];
  readonly env: Named;
}

/** Lays an environment out for Spack: `env/` with spack.yaml and the lock of the source, `recipes/`, and `scope/` with configuration
 * that takes precedence over the environment's.
 * @param worker variables of the worker */
export function layEnvironment(
  work: Work<'buildSpec' | 'proveSpecs'>,
  { lock, lockText, settings, included, recipes }: StoredEnvironment,
  worker: WorkerEnv,
  { index, caches }: SpackFolders,
): SpackCall {
  for (const [path, text] of recipes) write(work, join('recipes', path), text);
  write(work, 'env/spack.lock', lockText);
  // Spack concretizes anew, without a word, unless the roots are those of the lock.
  const specs = lock.roots.map(({ spec }) => spec);
  const mirrors = { ...sourceMirrors(worker), ...(caches && cacheMirrors(caches, work)) };
  included.forEach((one, at) => write(work, join('env', includedFile(at)), yaml(one)));
  const include = included.map((_, at) => includedFile(at));
  const own = { specs, view: false, ...settings, ...(include.length > 0 && { include }), [only('mirrors')]: mirrors };
  write(work, 'env/spack.yaml', yaml({ spack: own }));
  const below = join(work.folder, 'recipes');
  const repos = Object.entries(work.step.params.recipes).map(([name, path]) => [name, join(below, path)]);
  const scope = writeScope(work, 'scope', { ...Object.fromEntries(repos), ...workerRepos(worker) }, index);
  return spackCall(work, worker, scope, join(work.folder, 'env'));
}

const includedFile = (at: number): string => `included${at}.yaml`;

/** @param scope folder with configuration @param environment folder of it. Absent: Spack has none */
export const spackCall = (work: SpackPlace, worker: WorkerEnv, scope: string, environment?: string): SpackCall => ({
  argv: [join(worker['SLIPWAY_SPACK'] ?? '', 'bin', 'spack'), '-C', scope, ...(environment ? ['-e', environment] : [])],
  env: { SPACK_DISABLE_LOCAL_CONFIG: '1', SPACK_USER_CACHE_PATH: join(work.folder, 'user') },
});

/** Writes configuration for Spack. Returns its folder.
 * @param repos recipe repositories, by any name; Spack asks them in this order */
export function writeScope(work: SpackPlace, folder: string, repos: Named, index: string): string {
  const { inside } = work.paths;
  const seen = Object.entries(repos).map(([name, path]) => [name, inside(path)]);
  write(work, join(folder, 'repos.yaml'), yaml({ [only('repos')]: Object.fromEntries(seen) }));
  // The defaults of both lie in the checkout, which is read-only.
  const config = { source_cache: inside(join(work.folder, 'sources')), misc_cache: inside(index) };
  write(work, join(folder, 'config.yaml'), yaml({ config }));
  // `enable: false` breaks the relocation of binaries.
  write(work, join(folder, 'bootstrap.yaml'), yaml({ bootstrap: { enable: true, [only('sources')]: [] } }));
  return join(work.folder, folder);
}

/** Programs may have left links before. */
function write(work: SpackPlace, path: string, text: string): void {
  const file = join(work.folder, path);
  assertInside(work, dirname(file));
  mkdirSync(dirname(file), { recursive: true });
  writeInside(work, file, text);
}

export const writeYaml = (work: SpackPlace, path: string, value: object): void => write(work, path, yaml(value));

/** JSON is YAML. */
const yaml = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The key of a value that replaces the defaults of Spack. A file has `repos::`, which YAML reads as this. */
const only = (section: string): string => `${section}:`;

const listed = (paths: string | undefined): readonly string[] => (paths ?? '').split(delimiter).filter(Boolean);

/** Folders outside of the step that Spack reads.
 * @param index as for `layEnvironment` */
export const spackFolders = (worker: WorkerEnv, index: string): readonly string[] => [
  ...spack.tools.spack.variables.flatMap((name) => listed(worker[name])),
  index,
];

/** Recipe repositories of the worker. */
export const workerRepos = (worker: WorkerEnv): Named =>
  Object.fromEntries(listed(worker['SLIPWAY_SPACK_REPOS']).map((path, at) => [`worker${at}`, path]));

function sourceMirrors(worker: WorkerEnv): object {
  const urls = listed(worker['SLIPWAY_SPACK_SOURCES']).map((path) => `file://${path}`);
  return Object.fromEntries(urls.map((url, at) => [`sources${at}`, { url, source: true, binary: false }]));
}

const cacheMirrors = ({ from, to }: NonNullable<SpackFolders['caches']>, { paths }: SpackPlace): object => ({
  from: { url: `file://${paths.inside(from)}`, signed: false, source: false },
  to: { url: `file://${paths.inside(to)}`, signed: false, source: false, autopush: true },
});
