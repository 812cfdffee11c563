import type { ImagePorts } from '../../activities/images/ports.js';
import type { Engine } from '../../activities/prove-queue/ports.js';
import type { ImageContainers } from '../../activities/tests/ports.js';
import type { ImageRunner } from '../../activities/verify/ports.js';
import type { OutsideEngine } from '../../activities/wheels/ports.js';
import { createEngineAnswer } from './answer.js';
import { connect, engineAddress } from './connection.js';
import { createImageContainers, createImageRunner } from './containers.js';
import { createOutsideEngine } from './outside.js';
import { createImageEngine } from './images.js';
import { createImageRegistry } from './registry.js';
import { sweepContainers } from './ours.js';

export interface DockerParts extends Pick<ImagePorts, 'engine' | 'registry'> {
  /** Tests and commands in a staged image. */
  readonly containers: ImageContainers;
  /** A published image, pulled and run. */
  readonly runner: ImageRunner;
  /** For programs that make containers themselves. */
  readonly outside: OutsideEngine;
  /** Whether the engine answers at all. */
  readonly answer: Engine;
  /** For the start of a worker: removes containers whose worker is dead, and answers how many. */
  readonly sweep: () => Promise<number>;
}

/** All that we ask of the Docker engine. Its address is read anew for each request, since it may move while a worker lives.
 * @param recorded what `slipway up` wrote down for `docker`, or null */
export function createDocker(
  recorded: () => string | null,
  env: Readonly<Record<string, string | undefined>> = process.env,
): DockerParts {
  const address = (): string => engineAddress(recorded(), env);
  const engines = () => connect(address());
  return {
    engine: createImageEngine(engines),
    registry: createImageRegistry(),
    containers: createImageContainers(engines),
    runner: createImageRunner(engines),
    outside: createOutsideEngine(address, engines),
    answer: createEngineAnswer(engines),
    sweep: () => sweepContainers(engines),
  };
}
