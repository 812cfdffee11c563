import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filledMark } from '../sha256.js';
import { runAt, toLog } from '../steps/where.js';
import type { Work } from '../work.js';
import { OWN_GOALS } from './maven-arguments.js';
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

/** Fetches the pinned plugins into the shared local repository by building an empty module. Builds of the project only
 * read that repository. A failure is only logged: the build then fetches the plugins itself. */
export async function fillRepository(work: Work<'buildJar'>, ports: JarPorts): Promise<void> {
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
