import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Work } from '../../../activities/work.js';
import type { StoredEnvironment } from './environments.js';

export type WorkerEnv = Readonly<Record<string, string | undefined>>;

/** Build caches, by folder. */
export interface Caches {
  /** Spack takes the dependencies from it. */
  readonly from: string;
  /** Spack puts what it built into it. */
  readonly to: string;
}

/** The beginning of every line of Spack, and its variables. */
export interface SpackCall {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Lays an environment out for Spack: `env/` with spack.yaml and the lock of the source, `recipes/`, and `scope/` with configuration
 * that takes precedence over the environment's.
 * @param worker variables of the worker
 * @param caches null: nothing is installed */
export function layEnvironment(
  work: Work<'buildSpec' | 'proveSpecs'>,
  { lock, lockText, settings, recipes }: StoredEnvironment,
  worker: WorkerEnv,
  caches: Caches | null,
): SpackCall {
  const write = (path: string, text: string): void => {
    const file = join(work.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const inside = (path: string): string => work.paths.inside(join(work.folder, path));
  for (const [path, text] of recipes) write(join('recipes', path), text);
  write('env/spack.lock', lockText);
  // Spack concretizes anew, without a word, unless the roots are those of the lock.
  const specs = lock.roots.map(({ spec }) => spec);
  const mirrors = { ...sourceMirrors(worker), ...(caches && cacheMirrors(caches, work)) };
  write('env/spack.yaml', yaml({ spack: { specs, view: false, ...settings, [only('mirrors')]: mirrors } }));
  const own = Object.entries(work.step.params.recipes).map(([name, path]) => [name, inside(join('recipes', path))]);
  write('scope/repos.yaml', yaml({ [only('repos')]: { ...Object.fromEntries(own), ...workerRepos(worker) } }));
  // The defaults of both lie in the checkout, which is read-only.
  write('scope/config.yaml', yaml({ config: { source_cache: inside('sources'), misc_cache: inside('index') } }));
  // `enable: false` breaks the relocation of binaries.
  write('scope/bootstrap.yaml', yaml({ bootstrap: { enable: true, sources: [] } }));
  return {
    argv: [join(worker['SLIPWAY_SPACK'] ?? '', 'bin', 'spack'), '-C', inside('scope'), '-e', inside('env')],
    env: { SPACK_DISABLE_LOCAL_CONFIG: '1', SPACK_USER_CACHE_PATH: inside('user') },
  };
}

/** JSON is YAML. */
const yaml = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The key of a section that replaces the defaults of Spack. A file has `repos::`, which YAML reads as this. */
const only = (section: string): string => `${section}:`;

const listed = (paths: string | undefined): readonly string[] => (paths ?? '').split(delimiter).filter(Boolean);

const workerRepos = (worker: WorkerEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(listed(worker['SLIPWAY_SPACK_REPOS']).map((path, at) => [`worker${at}`, path]));

const sourceMirrors = (worker: WorkerEnv): object =>
  Object.fromEntries(
    listed(worker['SLIPWAY_SPACK_SOURCES']).map((path, at) => [
      `sources${at}`,
      { url: `file://${path}`, source: true, binary: false },
    ]),
  );

const cacheMirrors = ({ from, to }: Caches, { paths }: Work): object => ({
  from: { url: `file://${paths.inside(from)}`, signed: false, source: false },
  to: { url: `file://${paths.inside(to)}`, signed: false, source: false, autopush: true },
});
