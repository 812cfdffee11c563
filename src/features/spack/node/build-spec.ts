import { join } from 'node:path';
import { newFolder } from '../../../activities/step/inside.js';
import type { Body } from '../../../activities/work.js';
import { fail } from '../../../model/failure.js';
import { fillCache, keepClosure, readClosures } from './closure.js';
import { openEnvironments } from './environments.js';
import { specFailed } from './errors.js';
import { layEnvironment } from './lay-environment.js';
import { keepSpec } from './made-spec.js';
import { packageIndex, type SpackWorker } from './package-index.js';

const EVIDENCE_LINES = 40;
/** A path that is longer than the builder's needs patchelf on the machine that installs. */
const PADDED_TO = 128;

/** Builds one concrete spec with Spack, in the sandbox. Dependencies come as binaries from the steps that built them. */
export function createBuildSpec(worker: SpackWorker): Body<'buildSpec'> {
  const environmentOf = openEnvironments();
  return async function buildSpec(work) {
    const { name, version, hash } = work.step.params;
    const stored = await environmentOf(work);
    const index = await packageIndex(work, worker);
    const closures = await readClosures(work);
    const caches = { from: newFolder(work, 'in'), to: newFolder(work, 'out') };
    await fillCache(work, closures, caches.from);
    const { argv, env } = layEnvironment(work, stored, worker.env, { index, caches });
    const own = { root: 'tree', stage: 'stage' };
    const set = [
      ...['-c', `config:install_tree:root:${join(work.folder, own.root)}`],
      ...['-c', `config:install_tree:padded_length:${PADDED_TO}`],
      ...['-c', `config:build_stage:${join(work.folder, own.stage)}`],
    ];
    const install = ['install', '--use-buildcache=package:never,dependencies:only', '--no-check-signature'];
    const line = [...argv, ...set, ...install, '--fail-fast', '--verbose', '--no-add', `/${hash}`];
    const { code } = await work.exec(line, { env: work.env(env) });
    if (code !== 0) throw fail(specFailed(`${name}@${version}`, code, work.log.tail(EVIDENCE_LINES)));
    const made = await keepSpec(work, caches.to);
    const closure = await keepClosure(work, made, closures, stored.lock.specs.get(hash)?.links ?? []);
    const bytes = made.reduce((sum, { size }) => sum + size, 0);
    return {
      artifacts: [...made, closure],
      facts: { hash },
      note: `/${hash.slice(0, 7)}, ${Math.ceil(bytes / 1024)} KiB, ${closures.length} dependencies`,
    };
  };
}
