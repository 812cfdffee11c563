import { basename, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { newFolder } from '../step/inside.js';
import { layTree, projectFolder, sourceArtifactOf } from '../source/tree.js';
import { unpackTree } from '../source/unpack.js';
import { outputsIn } from '../steps/outputs.js';
import { makeBuildEnv } from '../wheels/build-env.js';
import { addBuilder, builderAccess, builderLine, ownEnv, placeOf } from '../wheels/builders.js';
import { buildFailed } from '../wheels/errors.js';
import { epochOf } from '../wheels/prepare-source.js';
import type { WheelPorts } from '../wheels/ports.js';
import type { Body, Work } from '../work.js';
import { assertVersion, sdistNotMade, sdistNotInSource } from './errors.js';

type Build = Work<'buildSdist'>;

/** Builds an sdist and repacks it reproducibly: build backends write times and owners into it. */
export const createBuildSdist = (ports: WheelPorts): Body<'buildSdist'> =>
  async function buildSdist(work) {
    const { project, version } = work.step.params;
    const raw = await build(work, ports);
    assertVersion(work.step.params, basename(raw));
    const sdist = await normalise(work, ports, raw);
    const artifact = await work.keep(sdist, 'sdist', { project, version: version ?? work.plan.release.version });
    return { artifacts: [artifact], note: `${artifact.name}, ${artifact.size} bytes, normalised` };
  };

async function build(work: Build, ports: WheelPorts): Promise<string> {
  const { builder, where, project, interpreter = null } = work.step.params;
  const tree = await layTree(work, ports.archives, 'tree');
  const env = await makeBuildEnv(work, ports.interpreters, interpreter);
  await addBuilder(work, builder, env);
  const out = newFolder(work, 'raw');
  const cwd = projectFolder(work, tree);
  const place = placeOf(work, where, ports.containers, [env.interpreter.prefix]);
  const code = await place.run(builderLine(work, env, out, 'sdist'), {
    cwd,
    env: work.env({ ...env.env, ...ownEnv(work, out) }),
    access: builderAccess(work, env),
  });
  if (code !== 0) throw fail(buildFailed(`the sdist of ${project}`, builder, code, work.log.tail(40)));
  return oneSdist(work, out, cwd);
}

async function oneSdist(work: Build, out: string, cwd: string): Promise<string> {
  const { outputs } = work.step.params;
  const globs = outputs.length > 0 ? outputs : ['{out}/*.tar.gz'];
  const found = await outputsIn(work, out, cwd, globs);
  const [sdist] = found;
  const names = found.map((path) => basename(path));
  if (found.length !== 1 || !sdist?.endsWith('.tar.gz')) throw fail(sdistNotMade(globs, names));
  return sdist;
}

async function normalise(work: Build, { archives }: WheelPorts, raw: string): Promise<string> {
  const [tree, out] = [newFolder(work, 'sdist'), newFolder(work, 'normalised')];
  await unpackTree(archives, raw, tree, { strip: true });
  const to = join(out, basename(raw));
  await archives.pack(tree, to, { epoch: epochOf(work), top: basename(raw, '.tar.gz') });
  return to;
}

/** Publishes the source's own sdist unchanged. */
export const createTakeSdist = (): Body<'takeSdist'> => async (work) => {
  const sdist = sourceArtifactOf(work);
  if (sdist?.kind !== 'sdist') throw fail(sdistNotInSource(work.step.id));
  assertVersion(work.step.params, sdist.name);
  const { project, version } = work.step.params;
  const labels = { ...sdist.labels, project, version: version ?? work.plan.release.version };
  return { artifacts: [{ ...sdist, labels }], note: `${sdist.name}, the source's own` };
};
