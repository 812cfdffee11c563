import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { LINES_JUDGED } from '../step/ends.js';
import { newFolder } from '../step/inside.js';
import { lineEnv } from '../steps/line-env.js';
import { findFiles } from '../steps/outputs.js';
import { type Line, runAt, toLog } from '../steps/where.js';
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

/** Maven would run `~/.mavenrc` as a script, and a line of the project may have left that file. */
const NO_SCRIPT = { MAVEN_SKIP_RC: '1' };

type Jars = Work<'buildJar'>;

/** Builds with the machine's Maven and returns all files that it would deploy. */
export async function byMaven(work: Jars, ports: JarPorts, root: string, limitMs: number): Promise<readonly Left[]> {
  const pom = await thePom(work, root);
  const stage = newFolder(work, 'stage');
  const env = work.env();
  const argv = mavenArguments(work.step.params, pom, {
    repository: env['SLIPWAY_M2'] ?? join(work.folder, 'm2'),
    stage,
    epoch: Number(env['SOURCE_DATE_EPOCH'] ?? 0),
  });
  await maven(work, ports, { line: argv, cwd: root, limitMs });
  return filesOf(work, stage);
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

interface MavenLine extends Pick<Line, 'cwd' | 'limitMs'> {
  readonly line: readonly string[];
}

async function maven(work: Jars, ports: JarPorts, command: MavenLine): Promise<void> {
  const { where } = work.step.params;
  const env = { ...NO_SCRIPT, ...lineEnv(work.step.params, { files: work.files }) };
  work.log.write(`$ ${command.line.join(' ')}\n`);
  const exit = await runAt(work, ports, where, { ...command, env, onOutput: toLog(work), access: 'resolve' });
  if (exit.timedOut) throw fail(jarsTimedOut(work.step.id, work.step.limitMs, work.log.tail()));
  if (exit.code !== 0) throw fail(judgeMaven(exit.code, work.log.tail(LINES_JUDGED)));
}

/** Throws LINK_LEADS_OUT if the build left a link in place of the folder. */
async function filesOf(work: Jars, stage: string): Promise<readonly Left[]> {
  return (await findFiles(work, stage, ['**'])).flatMap((path) => {
    const coordinates = coordinatesOf(path);
    return coordinates === null ? [] : [{ path: join(stage, path), name: basename(path), coordinates }];
  });
}

/** Fetches the pinned plugins into the shared local repository by building an empty module. Call it before any program
 * of the project runs. Builds of the project only read that repository. A failure is only logged: the build then
 * fetches the plugins itself. */
export async function fillRepository(work: Jars, ports: JarPorts, limitMs: number): Promise<void> {
  const repository = work.env()['SLIPWAY_M2'];
  if (repository === undefined || work.step.params.where.in === 'container') return;
  const filled = join(repository, filledMark(OWN_GOALS.join(' ')));
  if (existsSync(filled)) return;
  const cwd = newFolder(work, 'plugins');
  await mkdir(join(cwd, 'src', 'main', 'java'), { recursive: true });
  await writeFile(join(cwd, 'pom.xml'), POM);
  await writeFile(join(cwd, 'src', 'main', 'java', 'Empty.java'), SOURCE);
  const stage = `-DaltDeploymentRepository=stage::file://${join(cwd, 'stage')}`;
  const line = ['mvn', '-B', '-q', '-ntp', `-Dmaven.repo.local=${repository}`, stage, ...OWN_GOALS];
  work.log.write('Fetching the plugins of Maven that builds here share, once.\n');
  const how = { env: NO_SCRIPT, onOutput: toLog(work), access: 'fetch' } as const;
  const exit = await runAt(work, ports, work.step.params.where, { line, cwd, limitMs, ...how });
  if (exit.code === 0) await writeFile(filled, '');
}
