import type { ClusterRequest } from '../../src/activities/clusters/ports.js';
import { createClusters } from '../../src/adapters/clusters/index.js';
import type { DockerMachines } from '../../src/adapters/docker/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { newHome } from '../support/run-body.js';
import { until } from '../support/until.js';

/** Clusters of one worker. Each start lasts until `end` makes it fail. */
async function aWorker() {
  const begun: ((error: Error) => void)[] = [];
  const machines: DockerMachines = {
    network: () => new Promise((_, reject) => begun.push(reject)),
    run: () => Promise.reject(new Error('no container runs here')),
  };
  const clusters = createClusters(createPrograms({ running: await newHome() }), machines);
  const up = (name: string) => {
    const told: (string | null)[] = [];
    const cancel = new AbortController();
    const request: ClusterRequest = {
      spec: { name, manager: { by: 'docker', base: 'images/b', memoryMiB: null }, nodes: 1, cpus: 1, upMs: 60_000 },
      ...{ id: name, folder: '/nowhere', venv: null, env: {}, confine: (command) => command },
      ...{ containers: null, signal: cancel.signal, takesTurn: (because) => void told.push(because) },
      log: () => undefined,
    };
    return { told, cancel, ended: clusters.up(request).catch((error: Error) => error.message) };
  };
  return { begun, up };
}

const WAITS = expect.stringContaining('waits for the one of another test') as string;

test('given three tests of one worker, when one is cancelled while it waits, then the others have their turns and each says why it waits', async () => {
  const { begun, up } = await aWorker();
  const [first, second, third] = [up('one'), up('two'), up('three')];
  await until(() => first.told.length === 2);
  expect([second.told, third.told]).toEqual([[WAITS], [WAITS]]);
  second.cancel.abort(new Error('cancelled by kim'));
  expect(await second.ended).toBe('cancelled by kim');
  expect(begun).toHaveLength(1);
  begun[0]!(new Error('the first is over'));
  expect(await first.ended).toBe('the first is over');
  await until(() => begun.length === 2);
  expect(third.told).toEqual([WAITS, null]);
  begun[1]!(new Error('the third is over'));
  expect(await third.ended).toBe('the third is over');
});
