import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Work } from '../work.js';
import { nothingToTest } from './errors.js';
import { onHost } from './on-host.js';
import type { Place } from './place.js';
import type { TestPorts } from './ports.js';

/** The host with the built JARs on CLASSPATH: `java`, `javac` and `jshell` find them by themselves. */
export async function inJvm(work: Work<'runTest'>, { programs }: TestPorts, out: string): Promise<Place> {
  const jars = work
    .artifacts('jar')
    .filter(({ labels }) => labels['extension'] === 'jar' && !isExtra(labels['classifier']));
  if (jars.length === 0) throw fail(nothingToTest(work.step.id, 'jar'));
  const paths = await Promise.all(jars.map((jar) => work.fetch(jar, join(work.folder, 'jars'))));
  return onHost(work, programs, out, { CLASSPATH: [...paths, out].join(':') });
}

const isExtra = (classifier: string | undefined): boolean => classifier === 'sources' || classifier === 'javadoc';
