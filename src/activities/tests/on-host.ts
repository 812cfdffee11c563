import { fail } from '../../model/failure.js';
import type { Where } from '../../model/params.js';
import { runAt, mayUseNetwork } from '../steps/where.js';
import type { Work } from '../work.js';
import { testCancelled, testTreeAbsent, nothingToTest, imageUnclear, noEngineHere } from './errors.js';
import type { TestLocation } from './place.js';
import type { TestPorts } from './ports.js';
import { lstatSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../step/inside.js';
import type { Archives } from '../source/ports.js';
import { layTree } from '../source/tree.js';
import type { Artifact } from '../../model/artifact.js';

const HOST: Where = { in: 'host' };

/** Runs a test on the worker's host, or in a container with the test's Debian packages. The working folder is empty and
 * is also $OUT, unless the test names paths of the source.
 * @param pythons folders of interpreters that the test needs */
export function onHost(
  work: Work<'runTest'>,
  ports: TestPorts,
  out: string,
  extra: Readonly<Record<string, string>> = {},
  pythons: readonly string[] = [],
): TestLocation {
  return {
    files: work.files,
    out,
    run: async (line, own, onOutput) => {
      const { step, signal } = work;
      if (signal.aborted) throw fail(testCancelled(step.id));
      const env = { ...extra, ...own };
      const { tree, where = HOST } = step.params;
      const cwd = tree === undefined ? out : await layTestTree(work, ports.archives, tree);
      return runAt(work, ports, where, { line, cwd, env, onOutput, pythons });
    },
  };
}

/** Makes the working folder of a test from paths of the source, and of nothing else: a package in the source would be
 * tested in place of the product. No link of the source leads out of it. Throws TEST_TREE_ABSENT. */
async function layTestTree(work: Work<'runTest'>, archives: Archives, paths: readonly string[]): Promise<string> {
  const source = await layTree(work, archives, 'source');
  const seen = (path: string) => lstatSync(join(source, path), { throwIfNoEntry: false });
  const absent = paths.filter((path) => seen(path)?.isSymbolicLink() ?? true);
  if (absent.length > 0) throw fail(testTreeAbsent(work.step.id, absent));
  if (paths.includes('.')) return source;
  const tree = newFolder(work, 'tree');
  for (const path of paths) await cp(join(source, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  return tree;
}

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

const FILES = '/slipway/files';
const OUT = '/slipway/out';

/** Runs a test in a container of the built image, by digest, with the image's own environment. */
export function inImage(work: Work<'runTest'>, { containers }: TestPorts, out: string): TestLocation {
  const images = work.artifacts('image');
  const [image] = images;
  if (image === undefined || images.length > 1) throw fail(imageUnclear(work.step.id, images.length));
  if (containers === null) throw fail(noEngineHere(work.step.id));
  return {
    files: FILES,
    out: OUT,
    run: (line, env, onOutput) => {
      const network = mayUseNetwork(work);
      work.reached('container', network);
      return containers.run({
        network,
        platform: image.labels['oci'] ?? null,
        image: `${work.address('service:staging')}/${image.labels['repository']}@${image.digest}`,
        argv: ['sh', '-eu', '-c', line],
        cwd: OUT,
        env,
        mounts: [
          { host: work.files, path: FILES, writable: false },
          { host: out, path: OUT, writable: true },
        ],
        labels: { 'slipway.run': work.run, 'slipway.step': work.step.id },
        limitMs: work.step.limitMs,
        signal: work.signal,
        onOutput,
      });
    },
  };
}
