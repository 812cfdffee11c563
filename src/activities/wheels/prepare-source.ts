import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { findFiles } from '../steps/outputs.js';
import { layOverlay, layTree, workingFolder } from '../source/tree.js';
import { assertInside, newFolder } from '../step/inside.js';
import type { Body, Work } from '../work.js';
import { type BuildEnv, makeBuildEnv } from './build-env.js';
import { ownEnv, placeOf } from './builders.js';
import { buildFailed, commandMissing, normaliseNothing } from './errors.js';
import type { WheelPorts } from './ports.js';

type Prepare = Work<'prepareSource'>;

/** Prepares the tree that all variants of a wheel share. Keeps the whole tree as the command leaves it. */
export const createPrepareSource = (ports: WheelPorts): Body<'prepareSource'> =>
  async function prepareSource(work) {
    const { project, overlay, python } = work.step.params;
    const tree = await layTree(work, ports.archives, 'tree');
    await layOverlay(work, overlay, tree);
    const env = await makeBuildEnv(work, ports.interpreters, python ?? null);
    await runLine(work, ports, env, tree);
    const normalised = await normalise(work, ports, tree);
    assertInside(work, tree);
    const tar = join(newFolder(work, 'packed'), 'tree.tar');
    await ports.archives.pack(tree, tar, { epoch: epochOf(work) });
    const artifact = await work.keep(tar, 'tree', { project });
    return {
      artifacts: [artifact],
      facts: { normalised },
      note: `${artifact.size} bytes, ${normalised.length} archives normalised`,
    };
  };

async function runLine(work: Prepare, ports: WheelPorts, env: BuildEnv, tree: string): Promise<void> {
  const { run, folder, where, project } = work.step.params;
  if (run === null) throw fail(commandMissing(work.step.id));
  const place = placeOf(work, where, ports.containers, [env.interpreter.prefix]);
  const cwd = workingFolder(tree, folder);
  const code = await place.run(run, { cwd, env: work.env({ ...env.env, ...ownEnv(work, tree) }) });
  if (code !== 0) throw fail(buildFailed(`preparing ${project}`, `\`${run}\``, code, work.log.tail(30)));
}

/** Zip files contain timestamps, so equal trees would differ without this. */
async function normalise(work: Prepare, ports: WheelPorts, tree: string): Promise<readonly string[]> {
  const globs = work.step.params.normalise;
  if (globs.length === 0) return [];
  const found = await findFiles(work, tree, globs);
  if (found.length === 0) throw fail(normaliseNothing(globs));
  for (const path of found) await ports.archives.normaliseZip(join(tree, path), epochOf(work));
  return found;
}

/** Seconds since 1970. */
export const epochOf = (work: Work): number => Number(work.env()['SOURCE_DATE_EPOCH'] ?? 0);
