import { existsSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { jarContent } from '../../engine/checks/jar-content.js';
import type { Artifact } from '../../model/artifact.js';
import { filesUnder } from '../files-under.js';
import type { Archives } from '../source/ports.js';
import { newFolder } from '../step/inside.js';
import type { Work } from '../work.js';
import type { BuiltFile, Module } from './judge.js';
import { coordinatesIn, type Coordinates } from './layout.js';
import { readPom } from '../../plan/pom.js';

export interface Left {
  readonly path: string;
  readonly name: string;
  readonly coordinates: Coordinates;
}

/** True for a JAR of classes: no classifier, so neither sources nor javadoc. */
export const mainJar = ({ coordinates }: Pick<Left, 'coordinates'>): boolean =>
  coordinates.extension === 'jar' && coordinates.classifier === null;

export async function inspect(
  work: Work<'buildJar'>,
  archives: Archives,
  built: readonly Artifact[],
): Promise<readonly BuiltFile[]> {
  const files: BuiltFile[] = [];
  for (const artifact of built) {
    const coordinates = coordinatesIn(artifact.labels);
    const content = mainJar({ coordinates }) ? await contentOf(work, archives, artifact) : { content: null };
    files.push({ name: artifact.name, coordinates, ...content });
  }
  return files;
}

/** Lists the members. Unpacks class files alone, and only where the entry promises a Java. */
async function contentOf(
  work: Work<'buildJar'>,
  archives: Archives,
  artifact: Artifact,
): Promise<Pick<BuiltFile, 'content' | 'tooNew'>> {
  const { java } = work.step.params;
  const folder = newFolder(work, 'inspected');
  const classes = join(folder, 'classes');
  const files: string[] = [];
  await archives.unpack(await work.fetch(artifact, folder), classes, ({ name, kind }) => {
    if (kind === 'file') files.push(name);
    return kind === 'file' && java !== undefined && FOR_EVERY_JAVA.test(name) ? String(files.length) : null;
  });
  const content = jarContent(files);
  if (java === undefined) return { content };
  const tooNew = [];
  for (const [at, file] of files.entries()) {
    const needs = FOR_EVERY_JAVA.test(file) ? await javaOf(join(classes, String(at + 1))) : 0;
    if (needs > java) tooNew.push({ file, java: needs });
  }
  return { content, tooNew };
}

/** Classes that every Java loads: older ones look neither below META-INF/versions nor at a module's description. */
const FOR_EVERY_JAVA = /^(?!META-INF\/versions\/)(?!(?:.*\/)?module-info\.class$).*\.class$/;

/** Returns the Java that a class file needs: its major version less 44, JVMS table 4.1-A. 0 for a file that is no class. */
async function javaOf(path: string): Promise<number> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
  return bytesRead === 8 && buffer.readUInt32BE(0) === 0xcafebabe ? buffer.readUInt16BE(6) - 44 : 0;
}

const SOURCE = /\.(java|kt|scala|groovy)$/;
const SKIPPED = new Set(['target', 'node_modules', '.git']);

/** Returns each folder with a POM, and whether it holds sources to compile. */
export async function modulesOf(root: string): Promise<readonly Module[]> {
  const modules: Module[] = [];
  for (const pom of await findPoms(root)) {
    const folder = dirname(pom);
    const { artifactId } = readPom(await readFile(join(root, pom), 'utf8'));
    modules.push({
      folder: folder === '.' ? '' : folder,
      artifactId,
      hasSources: await hasSources(join(root, folder)),
    });
  }
  return modules;
}

async function findPoms(root: string, folder = root): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const here = entries.some((entry) => entry.isFile() && entry.name === 'pom.xml')
    ? [relative(root, join(folder, 'pom.xml'))]
    : [];
  const below = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name) && entry.name !== 'src');
  return [...here, ...(await Promise.all(below.map((entry) => findPoms(root, join(folder, entry.name))))).flat()];
}

async function hasSources(module: string): Promise<boolean> {
  const main = join(module, 'src', 'main');
  if (!existsSync(main)) return false;
  const names = (await filesUnder(main)).map((path) => basename(path));
  return names.some((name) => SOURCE.test(name) && !/^(package|module)-info\./.test(name));
}
