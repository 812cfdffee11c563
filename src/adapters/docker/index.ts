import type { ImageEngine } from '../../activities/images/ports.js';
import type { Engine } from '../../activities/prove-queue/ports.js';
import type { OutsideEngine } from '../../activities/wheels/ports.js';
import { connect, engineAddress, type Engines, type Logins } from './connection.js';
import { createImageContainers, createImageRunner } from './containers.js';
import { createImageEngine } from './images.js';
import { createImageRegistry } from './registry.js';
import { type ContainerSpec, runContainer } from './container.js';
import { type ContainerNetwork, makeNetwork, sweepNetworks } from './networks.js';
import { mountArguments } from './mounts.js';
import { markOurs, sweepContainers } from './ours.js';
import { answered } from './watched.js';
import type { Exit } from '../../activities/ports.js';

export interface DockerMachines {
  network(signal: AbortSignal): Promise<ContainerNetwork>;
  run(spec: ContainerSpec): Promise<Exit>;
}

/** Everything that uses the Docker engine. Each request reads the engine's address, which may change while a worker
 * lives.
 * @param recorded address from `slipway up`, or null
 * @param logins credentials that the engine and no program gets */
export function createDocker(
  recorded: () => string | null,
  env: Readonly<Record<string, string | undefined>> = process.env,
  logins: Logins = () => null,
) {
  const address = (): string => engineAddress(recorded(), env);
  const engines = () => connect(address());
  const engine = createImageEngine(engines, logins);
  return {
    engine,
    registry: createImageRegistry(logins),
    containers: createImageContainers(engines, logins),
    runner: createImageRunner(engines),
    /** For programs that create containers themselves. */
    outside: createOutsideEngine(address, engines, engine),
    answer: createEngineAnswer(engines),
    /** For clusters: containers on a network of their own. */
    machines: {
      network: (signal) => makeNetwork(engines, signal),
      run: (spec) => runContainer(engines, { ...spec, auth: logins(spec.image) }),
    } satisfies DockerMachines,
    sweep: async (): Promise<number> => (await sweepContainers(engines)) + (await sweepNetworks(engines)),
  };
}

/** Requests the engine's version: an accepting socket alone is no engine. */
const createEngineAnswer = (engines: Engines): Engine => ({
  silence: () =>
    answered(() => engines().version()).then(
      () => null,
      (error: Error) => error.message,
    ),
});

/** For programs that create containers themselves; those containers are removed too. */
const createOutsideEngine = (address: () => string, engines: Engines, engine: ImageEngine): OutsideEngine => ({
  address,
  pullIfMissing: engine.pullIfMissing,
  mount: mountArguments,
  mark: () => {
    const { labels, remove } = markOurs();
    return { labels, remove: () => remove(engines) };
  },
});
