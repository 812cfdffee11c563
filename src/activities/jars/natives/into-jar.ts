import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../../model/failure.js';
import { newFolder } from '../../step/inside.js';
import type { Work } from '../../work.js';
import { mainJar, type Left } from '../inspect.js';
import { readPom } from '../../../plan/pom.js';
import type { JarPorts } from '../ports.js';
import { moduleAbsent, moduleUnnamed, nativeLost, noMainJar } from './errors.js';
import type { Unpacked } from './unpack-natives.js';
import { sha256OfFile } from '../../sha256.js';

type Jars = Work<'buildJar'>;

/** Copies the libraries to the folder that the build packs, and returns it. For Maven that is `target/classes`: the
 * main JAR includes them, JARs of sources and javadoc do not, and the POM stays unchanged. A command gets the folder as
 * $NATIVES. */
export async function layNatives(work: Jars, root: string, natives: readonly Unpacked[]): Promise<string> {
  const { builder } = work.step.params;
  const to =
    builder === 'maven' ? join(root, await moduleOf(work, root), 'target', 'classes') : newFolder(work, 'laid');
  await mkdir(to, { recursive: true });
  for (const { folder, files } of natives) {
    for (const path of files) {
      await mkdir(dirname(join(to, path)), { recursive: true });
      await copyFile(join(folder, path), join(to, path));
    }
  }
  return to;
}

/** Returns the module that takes the libraries: the named one, else the only one. Throws NATIVE_MODULE_ABSENT or
 * NATIVE_MODULE_UNNAMED. */
async function moduleOf({ step }: Jars, root: string): Promise<string> {
  const { natives, modules } = step.params;
  const named = natives?.module ?? (modules.length === 1 ? modules[0]! : null);
  if (named !== null) {
    if (!existsSync(join(root, named, 'pom.xml'))) throw fail(moduleAbsent(step.id, named));
    return named;
  }
  const pom = readPom(await readFile(join(root, 'pom.xml'), 'utf8'));
  if (modules.length > 1 || pom.modules.length > 0)
    throw fail(moduleUnnamed(step.id, modules.length > 1 ? modules : pom.modules));
  return '';
}

/** Returns the main JAR that the libraries belong to. Throws NO_MAIN_JAR if there is not exactly one. */
export async function jarOfNatives({ step }: Jars, root: string, left: readonly Left[]): Promise<Left> {
  const { natives, builder } = step.params;
  const mains = left.filter(mainJar);
  const pom = builder === 'maven' && natives?.module ? join(root, natives.module, 'pom.xml') : null;
  const artifact = pom !== null && existsSync(pom) ? readPom(await readFile(pom, 'utf8')).artifactId : null;
  const fitting = artifact === null ? mains : mains.filter(({ coordinates }) => coordinates.artifactId === artifact);
  const [only, ...more] = fitting;
  if (only === undefined || more.length > 0)
    throw fail(noMainJar(step.id, fitting.map(({ name }) => name))); // prettier-ignore
  return only;
}

/** Throws NATIVE_LOST if the JAR lacks a library or has other bytes of it. */
export async function mustHold(
  work: Jars,
  { archives }: JarPorts,
  jar: Left,
  natives: readonly Unpacked[],
): Promise<void> {
  const into = newFolder(work, 'held');
  const wanted = new Map(natives.flatMap(({ folder, files }) => files.map((path) => [path, join(folder, path)])));
  await archives.unpack(jar.path, into, ({ name, kind }) => (kind === 'file' && wanted.has(name) ? name : null));
  const lost: string[] = [];
  for (const [path, file] of wanted) if (!(await isSame(join(into, path), file))) lost.push(path);
  if (lost.length > 0) throw fail(nativeLost(work.step.id, jar.name, lost));
}

const isSame = async (a: string, b: string): Promise<boolean> =>
  existsSync(a) && (await sha256OfFile(a)) === (await sha256OfFile(b));

/** Returns a JAR for each platform under the main JAR's coordinates, with the platform as classifier. */
export const besideJar = ({ coordinates }: Left, natives: readonly Unpacked[]): readonly Left[] =>
  natives.map(({ jar, ref }) => {
    const classifier = ref.for.native;
    const name = `${coordinates.artifactId}-${coordinates.version}-${classifier}.jar`;
    return { path: jar, name, coordinates: { ...coordinates, classifier } };
  });
