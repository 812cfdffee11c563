import { join } from 'node:path';
import { unlessFailedBefore } from '../../../activities/step/failed-before.js';
import { newFolder, writeInside } from '../../../activities/step/inside.js';
import type { ImageContainers } from '../../../activities/tests/ports.js';
import { placeOf } from '../../../activities/wheels/builders.js';
import type { Body, Made, Work } from '../../../activities/work.js';
import { fail, type Problem } from '../../../model/failure.js';
import { fillCache, keepClosure, readClosures } from './closure.js';
import { openEnvironments } from './environments.js';
import { sourceRefused, specFailed } from './errors.js';
import { INSTALL_PROGRAM } from './install-program.js';
import { layEnvironment, spackFolders } from './lay-environment.js';
import { keepSpec } from './made-spec.js';
import { packageIndex, type SpackWorker } from './package-index.js';

/** Spack says this if neither a mirror nor the address of a recipe has a source. */
const NO_SOURCE = /All fetchers failed/;
const EVIDENCE_LINES = 40;
const AFTER_SETUP = ['sh', '-eu', '-c', 'eval "$SLIPWAY_SETUP"; exec "$@"', 'sh'];
/** A path that is longer than the builder's needs patchelf on the machine that installs. */
const PADDED_TO = 128;

/** Builds one concrete spec with Spack, in the sandbox. Dependencies come as binaries from the steps that built them. */
export function createBuildSpec(worker: SpackWorker, containers: ImageContainers | null): Body<'buildSpec'> {
  const environmentOf = openEnvironments();
  return async (work) => unlessFailedBefore(work, () => buildSpec(work));

  async function buildSpec(work: Work<'buildSpec'>): Promise<Made> {
    const { hash, where, setup, variables, jobs } = work.step.params;
    const stored = await environmentOf(work);
    const index = await packageIndex(work, worker);
    const closures = await readClosures(work);
    const caches = { from: newFolder(work, 'in'), to: newFolder(work, 'out') };
    await fillCache(work, closures, caches.from);
    const { argv, env } = layEnvironment(work, stored, worker.env, { index, caches });
    const set = [
      ...['-c', `config:install_tree:root:${join(work.folder, 'tree')}`],
      ...['-c', `config:install_tree:padded_length:${PADDED_TO}`],
      ...['-c', `config:build_stage:${join(work.folder, 'stage')}`],
    ];
    const program = join(work.folder, 'install.py');
    writeInside(work, program, INSTALL_PROGRAM);
    const install = ['python', program, '--use-buildcache=package:never,dependencies:only', '--no-check-signature'];
    const parallel = jobs === undefined ? [] : [`-j${jobs}`];
    const line = [...argv, ...set, ...install, ...parallel, '--fail-fast', '--verbose', '--no-add', `/${hash}`];
    const place = placeOf(work, where, containers, spackFolders(worker.env, index));
    const code = await place.run(setup === undefined ? line : [...AFTER_SETUP, ...line], {
      cwd: work.folder,
      env: work.env({ ...variables, ...env, ...(setup !== undefined && { SLIPWAY_SETUP: setup }) }),
    });
    if (code !== 0) throw fail(problemOf(work, code));
    const made = await keepSpec(work, caches.to);
    const closure = await keepClosure(work, made, closures, stored.lock.specs.get(hash)?.links ?? []);
    const bytes = made.reduce((sum, { size }) => sum + size, 0);
    return {
      artifacts: [...made, closure],
      facts: { hash },
      note: `/${hash.slice(0, 7)}, ${Math.ceil(bytes / 1024)} KiB, ${closures.length} dependencies`,
    };
  }
}

function problemOf({ step, log }: Work<'buildSpec'>, code: number): Problem {
  const { name, version, network = false } = step.params;
  const lines = log.tail(EVIDENCE_LINES);
  const isRefused = !network && lines.some((line) => NO_SOURCE.test(line));
  return isRefused ? sourceRefused(`${name}@${version}`, lines) : specFailed(`${name}@${version}`, code, lines);
}
