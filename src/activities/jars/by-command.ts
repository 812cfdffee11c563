import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { findFiles, rootOf } from '../steps/outputs.js';
import type { Work } from '../work.js';
import { coordinatesUnknown, jarCommandMissing, nothingBuilt } from './errors.js';
import type { Left } from './inspect.js';
import { coordinatesOf, type Coordinates } from './layout.js';
import { readPom } from '../../plan/pom.js';
import type { JarPorts } from './ports.js';
import { runLine } from './run-line.js';

type Jars = Work<'buildJar'>;

/** Builds with the command of the release file. Its outputs use the layout of a Maven repository, or have a POM beside
 * them. */
export async function byCommand(
  work: Jars,
  ports: JarPorts,
  root: string,
  natives: string | null,
): Promise<readonly Left[]> {
  const out = join(work.folder, 'out');
  const { run: line } = work.step.params;
  if (line === null) throw fail(jarCommandMissing(work.step.id));
  await runLine(work, ports, { line, cwd: root, out, env: natives === null ? {} : { NATIVES: natives } });
  const { outputs } = work.step.params;
  const globs = outputs.length > 0 ? outputs : ['{out}/**'];
  const left: Left[] = [];
  for (const glob of globs) {
    const [folder, pattern] = rootOf(glob, out, root);
    const paths = await findFiles(work, folder, [pattern]);
    if (paths.length === 0) throw fail(nothingBuilt(work.step.id, `that matches ${glob}`));
    left.push(...(await placed(folder, paths)));
  }
  return left;
}

/** Takes coordinates from the path, else from a POM among the outputs. The artifactId of that POM is a prefix of the
 * file's name. */
async function placed(folder: string, paths: readonly string[]): Promise<readonly Left[]> {
  const poms: Pick<Coordinates, 'groupId' | 'artifactId' | 'version'>[] = [];
  for (const path of paths.filter((one) => one.endsWith('.pom'))) {
    const { groupId, artifactId, version } = readPom(await readFile(join(folder, path), 'utf8'));
    if (groupId && artifactId && version) poms.push({ groupId, artifactId, version });
  }
  return paths.map((path) => {
    const name = basename(path);
    const beside = poms.flatMap(
      (pom) => coordinatesOf(`${pom.groupId.replaceAll('.', '/')}/${pom.artifactId}/${pom.version}/${name}`) ?? [],
    );
    const coordinates = beside[0] ?? coordinatesOf(path);
    if (coordinates === null) throw fail(coordinatesUnknown(name));
    return { path: join(folder, path), name, coordinates };
  });
}
