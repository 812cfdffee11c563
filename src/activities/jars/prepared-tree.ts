import { join } from 'node:path';
import { workingFolder } from '../source/tree.js';
import { unpackTree } from '../source/unpack.js';
import { assertInside, newFolder } from '../step/inside.js';
import { epochOf } from '../wheels/prepare-source.js';
import type { Work } from '../work.js';
import type { JarPorts } from './ports.js';
import { runLine } from './run-line.js';

/** Returns the tree after the line `prepare`, or the tree itself without one. The line's tree is packed and unpacked, so no link of
 * it leads out of the step. Throws JAR_COMMAND_FAILED, ARCHIVE_UNSAFE and FOLDER_ABSENT. */
export async function preparedTree(
  work: Work<'buildJar'>,
  ports: JarPorts,
  tree: string,
  limitMs: number,
): Promise<string> {
  const { prepare, folder } = work.step.params;
  if (prepare === undefined) return tree;
  const place = { cwd: workingFolder(tree, folder), out: join(work.folder, 'out'), limitMs };
  await runLine(work, ports, { line: prepare.run, ...place, env: {}, of: prepare, named: 'line `prepare`' });
  assertInside(work, tree);
  const [tar, prepared] = [join(newFolder(work, 'packed'), 'tree.tar'), newFolder(work, 'prepared')];
  await ports.archives.pack(tree, tar, { epoch: epochOf(work) });
  await unpackTree(ports.archives, tar, prepared);
  return prepared;
}
