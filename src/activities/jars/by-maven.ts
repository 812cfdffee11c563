import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fail } from '../../model/failure.js';
import { filesUnder } from '../files-under.js';
import { LINES_JUDGED } from '../step/ends.js';
import { lineEnv } from '../steps/line-env.js';
import { runAt, toLog } from '../steps/where.js';
import type { Work } from '../work.js';
import { jarsTimedOut, pomMissing, pomVersionDiffers } from './errors.js';
import type { Left } from './inspect.js';
import { judgeMaven } from './judge.js';
import { coordinatesOf } from './layout.js';
import { mavenArguments, OWN_GOALS } from './maven-arguments.js';
import { readPom, type Pom } from '../../plan/pom.js';
import { filledMark } from '../sha256.js';
import type { JarPorts } from './ports.js';

const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>slipway</groupId>
  <artifactId>empty</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>8</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
</project>
`;
const SOURCE = '/** Nothing. */\npublic class Empty {}\n';

type Jars = Work<'buildJar'>;

/** Builds with the machine's Maven and returns all files that it would deploy. */
export async function byMaven(work: Jars, ports: JarPorts, root: string): Promise<readonly Left[]> {
  const pom = await thePom(work, root);
  const stage = join(work.folder, 'stage');
  await mkdir(stage, { recursive: true });
  const env = work.env();
  await fillRepository(work, ports);
  const argv = mavenArguments(work.step.params, pom, {
    repository: env['SLIPWAY_M2'] ?? join(work.folder, 'm2'),
    stage,
    epoch: Number(env['SOURCE_DATE_EPOCH'] ?? 0),
  });
  await maven(work, ports, root, argv);
  return filesOf(stage);
}

/** Checks the version before the build if the POM has a literal one; computed versions are checked afterwards. Throws
 * POM_MISSING or POM_VERSION_DIFFERS. */
async function thePom(work: Jars, root: string): Promise<Pom> {
  const { folder, version } = work.step.params;
  const path = join(root, 'pom.xml');
  if (!existsSync(path)) throw fail(pomMissing(work.step.id, folder));
  const pom = readPom(await readFile(path, 'utf8'));
  const written = pom.version !== null && !pom.version.includes('${');
  if (written && pom.version !== version) {
    throw fail(pomVersionDiffers(`${pom.groupId}:${pom.artifactId}`, pom.version!, version));
  }
  return pom;
}

async function maven(work: Jars, ports: JarPorts, cwd: string, argv: readonly string[]): Promise<void> {
  const { where } = work.step.params;
  const env = lineEnv(work.step.params, { files: work.files });
  work.log.write(`$ ${argv.join(' ')}\n`);
  const exit = await runAt(work, ports, where, { line: argv, cwd, env, onOutput: toLog(work), access: 'resolve' });
  if (exit.timedOut) throw fail(jarsTimedOut(work.step.id, work.step.limitMs, work.log.tail()));
  if (exit.code !== 0) throw fail(judgeMaven(exit.code, work.log.tail(LINES_JUDGED)));
}

async function filesOf(stage: string): Promise<readonly Left[]> {
  return (await filesUnder(stage)).flatMap((path) => {
    const coordinates = coordinatesOf(relative(stage, path));
    return coordinates === null ? [] : [{ path, name: basename(path), coordinates }];
  });
}

/** Fetches the pinned plugins into the shared local repository by building an empty module. Builds of the project only
 * read that repository. A failure is only logged: the build then fetches the plugins itself. */
async function fillRepository(work: Work<'buildJar'>, ports: JarPorts): Promise<void> {
  const repository = work.env()['SLIPWAY_M2'];
  if (repository === undefined || work.step.params.where.in === 'container') return;
  const filled = join(repository, filledMark(OWN_GOALS.join(' ')));
  if (existsSync(filled)) return;
  const folder = join(work.folder, 'plugins');
  await mkdir(join(folder, 'src', 'main', 'java'), { recursive: true });
  await writeFile(join(folder, 'pom.xml'), POM);
  await writeFile(join(folder, 'src', 'main', 'java', 'Empty.java'), SOURCE);
  const stage = `-DaltDeploymentRepository=stage::file://${join(folder, 'stage')}`;
  const line = ['mvn', '-B', '-q', '-ntp', `-Dmaven.repo.local=${repository}`, stage, ...OWN_GOALS];
  work.log.write('Fetching the plugins of Maven that builds here share, once.\n');
  const { where } = work.step.params;
  const exit = await runAt(work, ports, where, { line, cwd: folder, env: {}, onOutput: toLog(work), access: 'fetch' });
  if (exit.code === 0) await writeFile(filled, '');
}
