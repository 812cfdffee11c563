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
/** Pinned like all of Maven's plugins that we call. */
const CLASSPATH_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';

/** The host with the built JARs, and what their POMs need at run time, on CLASSPATH: `java`, `javac` and `jshell` find them by themselves. */
export async function inJvm(work: Test, ports: TestPorts, out: string): Promise<TestLocation> {
  const jars = work.artifacts('jar', { extension: 'jar' }).filter(({ labels }) => !isExtra(labels['classifier']));
  if (jars.length === 0) throw fail(nothingToTest(work.step.id, 'jar'));
  const paths = await Promise.all(jars.map((jar) => work.fetch(jar, join(work.folder, 'jars'))));
  const needed = [];
  for (const pom of work.artifacts('jar', { extension: 'pom' })) needed.push(...(await dependenciesOf(work, pom)));
  return onHost(work, ports, out, { CLASSPATH: [...new Set([...paths, ...needed, out])].join(':') });
}

const isExtra = (classifier: string | undefined): boolean => classifier === 'sources' || classifier === 'javadoc';

/** A POM that names neither dependencies nor a parent needs nothing, and Maven is not asked. */
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
    // Modules of one release need each other, and no repository holds them yet: their JARs are here all the same.
    work.log.write(`What ${pom.name} needs besides was not found; CLASSPATH holds the built JARs only.\n`);
    return [];
  }
  return (await readFile(list, 'utf8')).trim().split(':').filter(Boolean);
}
