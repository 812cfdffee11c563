import { join } from 'node:path';
import { createAnnounceRelease } from '../activities/announce/announce-release.js';
import { createPassGate } from '../activities/gates/pass-gate.js';
import { createImageBodies } from '../activities/images/index.js';
import { createJarBodies } from '../activities/jars/index.js';
import { createPublishBodies } from '../activities/publish/index.js';
import { createPythonBodies } from '../activities/python.js';
import type { Interpreters } from '../activities/deps/ports.js';
import type { Workers } from '../activities/prove-queue/ports.js';
import type { Surroundings } from '../activities/step/ports.js';
import { createTestBodies } from '../activities/tests/index.js';
import type { ImageContainers } from '../activities/tests/ports.js';
import type { Bodies } from '../activities/work.js';
import { createArchives } from '../adapters/archive/index.js';
import { createBaseTars } from '../adapters/debian/bases.js';
import { createDocker } from '../adapters/docker/index.js';
import { createPublishedImages } from '../adapters/oci/published-images.js';
import { createSignatures } from '../adapters/ssh/signatures.js';
import { createTargets } from '../adapters/targets.js';
import { createWebhook } from '../adapters/webhook/webhook.js';
import { governed } from './governed.js';
import { withPythons } from './pythons.js';

/** What the composition root made before. */
export interface Fittings {
  readonly interpreters: Interpreters;
  /** Who takes steps of a queue; left out where nobody else does. */
  readonly workers?: Workers;
  /** What stands between steps and their containers, where something does. */
  readonly containers?: (own: ImageContainers) => ImageContainers;
}

/** All kinds that workers of this machine can do, with their adapters. */
export function createBodies(around: Surroundings, { interpreters, workers, containers: between }: Fittings): Bodies {
  const { programs } = around;
  const archives = createArchives();
  const {
    engine,
    registry,
    containers: own,
    runner,
    outside,
    answer,
  } = createDocker(() => around.service('docker'), around.env);
  const containers = between?.(own) ?? own;
  const bases = createBaseTars(programs, join(around.home, 'cache', 'bases'));
  const tests = createTestBodies({ programs, archives, containers });
  const publishing = createPublishBodies({ targets: createTargets(), images: runner });
  const bodies = {
    ...createPythonBodies({
      archives,
      interpreters,
      containers,
      outside,
      engineAnswer: answer,
      noSandbox: programs.noSandbox ?? null,
      ...(workers && { workers }),
    }),
    ...createJarBodies({ programs, archives, containers }),
    ...createImageBodies({ engine, registry, bases, archives, published: createPublishedImages() }),
    ...tests,
    ...publishing,
    announceRelease: createAnnounceRelease({ webhook: createWebhook() }),
    passGate: createPassGate({ signatures: createSignatures() }),
    runTest: withPythons(interpreters, tests.runTest),
    verifyTarget: withPythons(interpreters, publishing.verifyTarget),
  };
  return governed(bodies, around);
}
