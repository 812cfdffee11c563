import { fail } from '../../model/failure.js';
import type { SourceRef } from '../../model/params.js';
import { type GitSource, records } from '../../model/run-folder.js';
import type { Body, Made, Work } from '../work.js';
import {
  commitNotExported,
  indexUnreachable,
  sdistAbsent,
  sdistFileAbsent,
  sdistRefused,
  sha256Mismatch,
  sdistOtherProject,
} from './errors.js';
import type { Archives } from './ports.js';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mainSourceStep } from '../../model/sources.js';
import { FETCH_SDIST } from './fetch-sdist-script.js';
import { unpackTree } from './unpack.js';
import { hexOf } from '../../model/digest.js';
import { normalName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';
import { sha256OfFile } from '../sha256.js';

/** Puts the source of the release into the store, by digest. No step builds from a working tree. */
export const createFetchSource = ({ archives }: { readonly archives: Archives }): Body<'fetchSource'> =>
  async function fetchSource(work) {
    const { source } = work.step.params;
    return source.kind === 'git' ? takeCommit(work, source) : fetchSdist(work, source, archives);
  };

type Git = Extract<SourceRef, { kind: 'git' }>;

/** Takes the tree that `slipway run` exported into the store with the plan. Throws SOURCE_NOT_EXPORTED. */
async function takeCommit(work: Work<'fetchSource'>, { commit, folder }: Git): Promise<Made> {
  const found = await work.store.read<GitSource>(records.gitSource(commit, folder));
  if (found === null) throw fail(commitNotExported(commit));
  return {
    artifacts: [{ digest: found.digest, kind: 'source', name: 'source.tar', size: found.size, labels: { commit } }],
    facts: { epoch: found.epoch, commit, version: null },
    note: `commit ${commit.slice(0, 12)}${folder === undefined ? '' : `, ${folder}`}, ${found.size} bytes`,
  };
}

const LONGEST_PKG_INFO = 1 << 20;

/** More than any index takes. A file without an end fills no disk. */
const MOST_BYTES = 4 * 2 ** 30;

type SdistRef = Extract<SourceRef, { kind: 'sdist' }>;
interface Answer {
  readonly file: string | null;
  readonly versions: readonly string[];
  readonly files: readonly string[];
  readonly trouble: readonly string[];
  readonly refused: readonly string[];
}

/** Downloads the source archive of a version, or takes it from the bundle. Throws SHA256_MISMATCH if it is not the one
 * of the release file, and SDIST_OTHER_PROJECT if its metadata has another name or version. */
async function fetchSdist(work: Work<'fetchSource'>, source: SdistRef, archives: Archives): Promise<Made> {
  const path = source.path === undefined ? await download(work, source) : await copied(work, source.path);
  const found = hexOf(await sha256OfFile(path));
  if (found !== source.sha256) throw fail(sha256Mismatch(keyOf(work, 'sha256'), basename(path), source.sha256, found));
  const look = join(work.folder, 'look');
  const epoch = await newestMember(archives, path, look);
  await assertIsProject(look, basename(path), source, keyOf(work, 'sdist'));
  const artifact = await work.keep(path, 'sdist', { project: source.name, version: source.version });
  return {
    artifacts: [artifact],
    facts: { epoch, commit: null, version: source.version },
    note: `${artifact.name}, ${artifact.size} bytes`,
  };
}

/** Returns the path of a key of the source in the release file. */
const keyOf = ({ plan, step }: Pick<Work, 'plan' | 'step'>, key: string): string =>
  step.id === mainSourceStep(plan) ? `source.${key}` : `sources.${step.id.slice('source/'.length)}.${key}`;

async function download(work: Work<'fetchSource'>, { name, version, file: wanted = '' }: SdistRef): Promise<string> {
  const folder = join(work.folder, 'download');
  await mkdir(folder);
  const argv = ['python', '-', name, version, folder, String(MOST_BYTES), wanted];
  const output = await work.capture(argv, { stdin: FETCH_SDIST, env: work.envOfPip() });
  const line = output.split('\n').find((text) => text.startsWith('slipway:'));
  // A crash of pip does not prove that the archive is absent.
  if (line === undefined) throw fail(indexUnreachable(name, ['pip ended without an answer']));
  const { file, versions, files, trouble, refused } = JSON.parse(line.slice('slipway:'.length)) as Answer;
  if (file !== null) return join(folder, basename(file));
  if (refused.length > 0) throw fail(sdistRefused(keyOf(work, 'sdist'), refused[0]!));
  if (trouble.length > 0) throw fail(indexUnreachable(name, trouble));
  const lacking = { name, version, file: wanted };
  throw fail(sdistAbsent(keyOf(work, 'sdist'), lacking, files.length > 0 ? files : versions));
}

/** Copies a file of the bundle: artifacts are made from files in the step's own folder. Throws SDIST_ABSENT. */
async function copied(work: Work<'fetchSource'>, path: string): Promise<string> {
  const from = join(work.files, path);
  if (!existsSync(from)) throw fail(sdistFileAbsent(keyOf(work, 'path'), from));
  const to = join(work.folder, basename(path));
  await copyFile(from, to);
  return to;
}

/** Returns the newest member's time, in seconds since 1970. It unpacks the whole archive, so that an unsafe one fails
 * here. */
async function newestMember(archives: Archives, path: string, into: string): Promise<number> {
  let newest = 0;
  await unpackTree(archives, path, into, { onMember: ({ mtime }) => (newest = Math.max(newest, mtime)) });
  return newest;
}

/** Throws SDIST_OTHER_PROJECT if an unpacked sdist has metadata of another project or version. Old sdists have none.
 * @param key where the release file names the sdist */
async function assertIsProject(
  folder: string,
  file: string,
  { name, version }: Pick<SdistRef, 'name' | 'version'>,
  key: string,
): Promise<void> {
  const path = join(folder, 'PKG-INFO');
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
  if (size === 0 || size > LONGEST_PKG_INFO) return;
  const header = (await readFile(path, 'utf8')).split(/\r?\n\r?\n/)[0]!;
  const field = (of: string): string | null => new RegExp(`^${of}: *(.+?)\\r?$`, 'm').exec(header)?.[1] ?? null;
  const [itsName, itsVersion] = [field('Name'), field('Version')];
  const isIt =
    (itsName === null || normalName(itsName) === normalName(name)) &&
    (itsVersion === null || sameVersion(itsVersion, version));
  if (!isIt)
    throw fail(sdistOtherProject(key, file, `${itsName ?? name} ${itsVersion ?? ''}`.trim(), `${name}==${version}`));
}
