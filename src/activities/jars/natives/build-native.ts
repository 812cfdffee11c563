import { copyFile, mkdir, chmod } from 'node:fs/promises';
import { constants, existsSync } from 'node:fs';
import { basename, join, dirname } from 'node:path';
import { judgePaths } from '../../../engine/checks/builder-paths.js';
import { judgeNative } from '../../../engine/checks/native.js';
import { fail, type Problem } from '../../../model/failure.js';
import type { Finding } from '../../../model/finding.js';
import type { KindName } from '../../../model/kinds.js';
import type { Env } from '../../../model/params.js';
import { crossTools } from '../../cross/cross-tools.js';
import { filesUnder } from '../../files-under.js';
import { readElf } from '../../natives/elf.js';
import { readNative } from '../../natives/read-native.js';
import type { Archives } from '../../source/ports.js';
import { newFolder } from '../../step/inside.js';
import { outputsIn } from '../../steps/outputs.js';
import { sourceTree } from '../../source/tree.js';
import { refused } from '../../wheels/errors.js';
import { asSeen } from '../../wheels/look/needles.js';
import { placeHits, scanFile } from '../../wheels/look/scan.js';
import type { Body, Work } from '../../work.js';
import { jarSourceMissing } from '../errors.js';
import type { JarPorts } from '../ports.js';
import { runLine } from '../run-line.js';
import { namesBuilder, nativeAbsent, nativeTwice, notNative } from './errors.js';

type Native = Work<'buildNative'>;

/** Builds the native libraries of one platform, checks them and packs them into a reproducible JAR. */
export const createBuildNative = (ports: JarPorts): Body<'buildNative'> =>
  async function buildNative(work) {
    const { params, id, axes } = work.step;
    const tree = await sourceTree(work, ports.archives, join(work.folder, 'source'));
    if (tree === null) throw fail(jarSourceMissing(id));
    const out = join(work.folder, 'out');
    const root = join(tree, params.folder);
    await run(work, ports, root, out);
    const libraries = await found(work, root, out);
    const findings = await judged(work, libraries);
    const jar = await pack(work, ports, libraries);
    const { coordinates, version, for: platform } = params;
    const labels = coordinates && { ...coordinates, version, extension: 'jar', classifier: platform.name };
    const artifact = await work.keep(jar, 'jar', { ...axes, ...labels, platform: platform.name });
    await work.layout.place(params.place, artifact.digest);
    const names = libraries.map((path) => basename(path));
    return {
      artifacts: [artifact],
      facts: { libraries: names },
      findings,
      note: `${names.join(', ')} for ${platform.name}`,
    };
  };

async function run(work: Native, ports: JarPorts, cwd: string, out: string): Promise<void> {
  const { run: line, cross, for: platform } = work.step.params;
  const tools = cross === null ? {} : await crossTools(work, cross, platform);
  await runLine(work, ports, { line: line ?? '', cwd, out, env: { ...jniOf(work.env()), ...tools } });
}

/** Names of a JDK's include folder for its system. Its headers also fit other machines, except on Windows. */
const MACHINES = ['linux', 'darwin', 'win32'];

/** Returns JNI_INCLUDE and the compiler flags of the worker's JDK. Empty without a JDK. */
function jniOf(env: Env): Env {
  const include = join(env['JAVA_HOME'] ?? '', 'include');
  if (env['JAVA_HOME'] === undefined || !existsSync(include)) return {};
  const machine = MACHINES.map((name) => join(include, name)).find((folder) => existsSync(folder)) ?? include;
  return { JNI_INCLUDE: include, JNI_CFLAGS: `-I${include} -I${machine}` };
}

/** Returns absolute paths, each once. Throws NATIVE_ABSENT for each glob without a match. */
async function found(work: Native, root: string, out: string): Promise<readonly string[]> {
  const paths = new Set<string>();
  const missing: Problem[] = [];
  for (const glob of work.step.params.libraries) {
    const some = await outputsIn(work, out, root, [glob]);
    for (const path of some) paths.add(path);
    if (some.length === 0) missing.push(nativeAbsent(work.step.id, glob));
  }
  if (missing.length > 0) throw fail(missing);
  return [...paths].sort();
}

/** Returns notes about the libraries. Throws all their problems at once. */
async function judged(work: Native, libraries: readonly string[]): Promise<readonly Finding[]> {
  const all = await Promise.all(libraries.map((path) => judge(work, path)));
  const problems = all.flatMap((one) => one.problems);
  if (problems.length > 0) throw fail(problems);
  return all.flatMap((one) => one.notes);
}

async function judge(
  work: Native,
  path: string,
): Promise<{ readonly problems: readonly Problem[]; readonly notes: readonly Finding[] }> {
  const { params, id } = work.step;
  const facts = await readNative(path);
  if (facts === null) return { problems: [notNative(id, basename(path))], notes: [] };
  const wrong = judgeNative(basename(path), facts, params.for).filter(({ level }) => level === 'error');
  const paths = await builderPaths(work, path);
  const named = paths.filter(({ level }) => level === 'error');
  return {
    problems: [...wrong.map(refused), ...named.map(({ why }) => namesBuilder(id, basename(path), why))],
    notes: paths.filter(({ level }) => level !== 'error'),
  };
}

async function pack(work: Native, ports: JarPorts, libraries: readonly string[]): Promise<string> {
  const { inside, place } = work.step.params;
  const content = newFolder(work, 'content');
  await mkdir(join(content, inside), { recursive: true });
  for (const path of libraries) await copyNew(work.step.id, path, join(content, inside, basename(path)));
  const jar = join(newFolder(work, 'jar'), basename(place));
  await packJar(work, ports.archives, content, jar);
  return jar;
}

/** Throws NATIVE_TWICE if the folder has a file of that name. */
async function copyNew(step: string, from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? fail(nativeTwice(step, basename(to))) : error;
  });
}

/** Finds the path of the build folder in a library: it does not exist on the users' machines. In a source file name or
 * debug information it is only a note. */
async function builderPaths(work: Pick<Work, 'folder' | 'paths'>, path: string): Promise<readonly Finding[]> {
  const folder = { prefix: dirname(work.folder), name: '<build folder>' };
  const { hits, binary } = await scanFile(path, [folder, ...asSeen(work, folder)]);
  const elf = hits.length === 0 ? null : await readElf(path);
  const sections = elf === null || elf === 'broken' ? null : elf.sections;
  return judgePaths(placeHits(basename(path), hits, sections ?? (binary ? [] : null)));
}

/** Packs a folder into a reproducible JAR without a manifest: sorted members, the source's time, mode 644. */
async function packJar<K extends KindName>(
  work: Work<K>,
  archives: Archives,
  folder: string,
  jar: string,
): Promise<void> {
  for (const path of await filesUnder(folder)) await chmod(path, 0o644);
  await work.must(['jar', '--create', '--no-manifest', '--file', jar, '-C', folder, '.']);
  await archives.normaliseZip(jar, Number(work.env()['SOURCE_DATE_EPOCH'] ?? 0));
}
