import { createCompileLock } from './deps/compile-lock.js';
import type { Engine, Workers } from './prove-queue/ports.js';
import { createProveQueue } from './prove-queue/prove-queue.js';
import { createBuildSdist } from './sdists/build-sdist.js';
import { takeSdist } from './sdists/take-sdist.js';
import { createFetchSource } from './source/fetch-source.js';
import { createBuildWheel } from './wheels/build-wheel.js';
import type { WheelPorts } from './wheels/ports.js';
import { createPrepareSource } from './wheels/prepare-source.js';
import type { Bodies } from './work.js';

export interface PythonPorts extends WheelPorts {
  /** Asked where a queue's steps need it; left out where a test has none. */
  readonly engineAnswer?: Engine;
  /** Why programs cannot run in a sandbox here; null: they can. */
  readonly noSandbox?: string | null;
  /** Who takes steps of a queue; left out where nobody else does. */
  readonly workers?: Workers;
}

/** From a source to locks, sdists and wheels. */
export const createPythonBodies = (ports: PythonPorts) =>
  ({
    proveQueue: createProveQueue(ports.interpreters, ports),
    fetchSource: createFetchSource(ports.archives),
    compileLock: createCompileLock(ports.archives, ports.interpreters),
    takeSdist,
    buildSdist: createBuildSdist(ports),
    prepareSource: createPrepareSource(ports),
    buildWheel: createBuildWheel(ports),
  }) satisfies Bodies;
