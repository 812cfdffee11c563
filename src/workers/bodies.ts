import { join } from 'node:path';
import { createImageBodies } from '../activities/images/index.js';
import { createJarBodies } from '../activities/jars/index.js';
import { createPublishBodies } from '../activities/publish/index.js';
import { createPythonBodies } from '../activities/python.js';
import type { Surroundings } from '../activities/step/ports.js';
import { createTestBodies } from '../activities/tests/index.js';
import type { Bodies } from '../activities/work.js';
import { createArchives } from '../adapters/archive/index.js';
import { createBaseTars } from '../adapters/debian/bases.js';
import { createDocker } from '../adapters/docker/index.js';
import { createInterpreters } from '../adapters/python/index.js';
import { createTargets } from '../adapters/targets.js';

/** All kinds that workers of this machine can do, with their adapters. */
export function createBodies(around: Surroundings): Bodies {
  const { programs } = around;
  const archives = createArchives();
  const { engine, registry, containers, runner } = createDocker(() => around.service('docker'), around.env);
  const bases = createBaseTars(programs, join(around.home, 'cache', 'bases'));
  return {
    ...createPythonBodies({ archives, interpreters: createInterpreters(around.env), containers }),
    ...createJarBodies({ programs, archives, containers }),
    ...createImageBodies({ engine, registry, bases }),
    ...createTestBodies({ programs, archives, containers }),
    ...createPublishBodies({ targets: createTargets(), images: runner }),
  };
}
