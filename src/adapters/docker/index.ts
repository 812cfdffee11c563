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
  readonly containers: ImageContainers;
  readonly runner: ImageRunner;
  /** For programs that create containers themselves. */
  readonly outside: OutsideEngine;
  readonly answer: Engine;
  readonly sweep: () => Promise<number>;
}

/** Everything that uses the Docker engine. Each request reads the engine's address, which may change while a worker
 * lives.
 * @param recorded address from `slipway up`, or null */
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
