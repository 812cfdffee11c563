import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/activities/ports.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { PageFile, PythonIndex } from '../doubles/python-index.js';
import { takeIndex } from './known-index.js';

/** Digest of every sdist, 64 hex digits. Entries of `anEntry` were built from it. */
export const SDIST = 'd'.repeat(64);

export const sdist = (name: string, more: object = {}): PageFile => ({
  ...{ filename: name, hashes: { sha256: SDIST }, size: 7 },
  ...more,
});

/** A release file that publishes the wheels of a list for two platforms.
 * @param keys more keys of the list, indented by four */
export const listed = (pythons: readonly [string, string], keys = ''): string => `slipway: 1
pipeline: { name: boats, label: minute }
platforms:
  debian-12: { like: linux-x86_64, libc: '2.36' }
  debian-13: { like: linux-x86_64, libc: '2.41' }
wheels:
  constraints:
    import: wheel-list
    git: requirements
    file: uc.txt
    rows: [{ branch: master, for: { debian-12: [${pythons[0]}], debian-13: [${pythons[1]}] } }]
${keys}publish:
  cache: { kind: simple, files: ['wheels/*'], when: built }
`;
export const LISTED = listed(['cp311', 'cp313']);

/** A world whose list wants the two sdists skiff and oars, with a store of its own. */
export async function aListOfTwo(oars: object = {}): Promise<{ world: WheelListWorld; store: Store }> {
  const world = await aWheelList();
  world.commit('skiff==1.0\noars==2\n');
  world.index.project('skiff', [sdist('skiff-1.0.tar.gz')]);
  world.index.project('oars', [sdist('oars-2.zip', oars)]);
  return { world, store: createDirectoryStore(join(world.folder, 'store')) };
}

export interface WheelListWorld {
  /** Absolute folder of the release file. */
  readonly folder: string;
  readonly file: string;
  /** Folder of the index that the profile `local` publishes to. */
  readonly wheels: string;
  readonly index: PythonIndex;
  /** Commits a list, and other files by path. */
  commit(list: string, more?: Readonly<Record<string, string>>): void;
  end(): Promise<void>;
}

/** A release file with a list in a repository, an index on loopback that pip is configured for, and a home of its own. */
export async function aWheelList(text = LISTED): Promise<WheelListWorld> {
  const before = { ...process.env };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-wheel-list-')));
  const home = join(folder, 'home');
  const { index, giveBack } = await takeIndex(home);
  for (const name of Object.keys(process.env)) if (/^PIP_|_proxy$/i.test(name)) delete process.env[name];
  Object.assign(process.env, { SLIPWAY_HOME: home, HOME: folder, PIP_CONFIG_FILE: join(folder, 'pip.conf') });
  writeFileSync(join(folder, 'pip.conf'), `[global]\nindex-url = ${index.address}\n`);
  const file = join(folder, 'slipway.yaml');
  writeFileSync(file, text);
  const repository = join(folder, 'requirements');
  mkdirSync(repository);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  git('init', '--quiet', '--initial-branch=master');
  return {
    ...{ folder, file, index, wheels: join(home, 'wheels') },
    commit(list, more = {}) {
      for (const [path, content] of Object.entries({ 'uc.txt': list, ...more }))
        writeFileSync(join(repository, path), content);
      git('add', '.');
      git('commit', '--quiet', '-m', 'list');
    },
    async end() {
      process.env = { ...before };
      giveBack();
      rmSync(folder, { recursive: true });
    },
  };
}
