import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact } from '../../model/artifact.js';
import { fail } from '../../model/failure.js';
import type { Work } from '../work.js';
import { nothingToTest } from './errors.js';
import { onHost } from './on-host.js';
import type { TestLocation } from './place.js';
import type { TestPorts } from './ports.js';

type Test = Work<'runTest'>;
/** A pinned version, as for all plugins that Slipway runs. */
const CLASSPATH_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';

/** Runs a test on the host, with the built JARs and the runtime dependencies of their POMs in CLASSPATH. `java`,
 * `javac` and `jshell` read that variable. */
export async function inJvm(work: Test, ports: TestPorts, out: string): Promise<TestLocation> {
  const jars = work.artifacts('jar', { extension: 'jar' }).filter(({ labels }) => !isExtra(labels['classifier']));
  if (jars.length === 0) throw fail(nothingToTest(work.step.id, 'jar'));
  const paths = await Promise.all(jars.map((jar) => work.fetch(jar, join(work.folder, 'jars'))));
  const needed = [];
  for (const pom of work.artifacts('jar', { extension: 'pom' })) needed.push(...(await dependenciesOf(work, pom)));
  return onHost(work, ports, out, { CLASSPATH: [...new Set([...paths, ...needed, out])].join(':') });
}

const isExtra = (classifier: string | undefined): boolean => classifier === 'sources' || classifier === 'javadoc';

/** A POM without dependencies and parent needs nothing, which saves a run of Maven. */
async function dependenciesOf(work: Test, pom: Artifact): Promise<readonly string[]> {
  const folder = join(work.folder, 'poms', pom.digest.slice(7, 19));
  await mkdir(folder, { recursive: true });
  const path = await work.fetch(pom, folder, 'pom.xml');
  if (!/<(dependencies|parent)>/.test(await readFile(path, 'utf8'))) return [];
  const list = join(folder, 'classpath.txt');
  const repository = work.env()['SLIPWAY_M2'] ?? join(work.folder, 'm2');
  const options = [`-Dmaven.repo.local=${repository}`, `-Dmdep.outputFile=${list}`, '-DincludeScope=runtime'];
  const { code } = await work.exec(['mvn', '-B', '-ntp', '-q', ...options, '-f', path, CLASSPATH_GOAL], {
    access: 'resolve',
  });
  if (code !== 0) {
    // Modules of one release may need each other before any repository has them; their JARs are in CLASSPATH anyway.
    work.log.write(`What ${pom.name} needs besides was not found; CLASSPATH holds the built JARs only.\n`);
    return [];
  }
  return (await readFile(list, 'utf8')).trim().split(':').filter(Boolean);
}
