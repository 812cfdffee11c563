import { fail } from '../../model/failure.js';
import type { Where } from '../../model/params.js';
import { runAt } from '../steps/where.js';
import type { Work } from '../work.js';
import { testCancelled } from './errors.js';
import type { TestLocation } from './place.js';
import type { TestPorts } from './ports.js';
import { layTestTree } from './tree.js';

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
