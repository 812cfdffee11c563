import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeWorkers } from '../../src/activities/prove-queue/judge-workers.js';
import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../src/adapters/home-keys/open.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { createPointers } from '../../src/adapters/store/pointers.js';
import { withProof, type Proofs } from '../../src/model/proof.js';
import { workerRecords } from '../../src/model/worker.js';
import { shareAddresses } from '../../src/services/share-addresses.js';
import { createAddresses } from '../../src/workers/addresses.js';
import { seenWorkers } from '../../src/workers/seen-workers.js';
import { newHome } from '../support/run-body.js';

const EVIL = { at: '2026-01-01', addresses: { docker: 'tcp://evil.example:2375', staging: 'evil.example:5000' } };
const OURS = { docker: 'unix:///run/ours.sock', staging: '127.0.0.1:5000' };

/** A home that runs `slipway up`, and a worker's home that joined it. */
async function aWorld() {
  const [home, joined] = [await newHome(), await newHome()];
  makeHomeKeys(join(home, 'keys'));
  mkdirSync(join(joined, 'keys'));
  for (const file of ['control.pub', 'worker.key']) copyFileSync(join(home, 'keys', file), join(joined, 'keys', file));
  const store = createDirectoryStore(join(home, 'store'));
  const [ours, theirs] = [openHomeKeys(join(home, 'keys')), openHomeKeys(join(joined, 'keys'))];
  const pointers = createPointers(store);
  const services = Object.fromEntries(
    Object.entries(OURS).map(([name, address]) => [name, { pid: 1, address, log: '' }]),
  );
  const share = (some: object = services, isPart = false) =>
    shareAddresses(
      {},
      home,
      { version: 1, supervisor: { pid: 1, startedAt: '2026-01-01' }, services: some as typeof services },
      isPart,
    );
  /** The addresses that a worker starting now would use. */
  const address = async (name: string): Promise<string | null> =>
    (await createAddresses(joined, { pointers, proofs: theirs, env: { DOCKER_HOST: '' } }))(name);
  return { store, joined, pointers, ours, theirs, share, address };
}

test('[H7] given addresses that the home signed, then they are used', async () => {
  const { share, address } = await aWorld();
  await share();
  expect(await address('staging')).toBe(OURS.staging);
});

test('[H7] given a home that runs its engine alone, then it uses this engine, and staging where the store says', async () => {
  const { share, address, joined } = await aWorld();
  await share();
  const docker = { pid: 1, address: 'unix:///run/joined.sock', log: '' };
  writeFileSync(join(joined, 'services.json'), JSON.stringify({ version: 1, services: { docker } }));
  expect([await address('docker'), await address('staging')]).toEqual([docker.address, OURS.staging]);
});

test('[H7] given another host with the same keys, when it starts some of the services, then joined workers find the others where they were', async () => {
  const { share, address, pointers } = await aWorld();
  const there = (address: string) => ({ pid: 1, address, log: '' });
  await share();
  await share({ docker: there('unix:///run/other-host.sock'), maven: there('http://127.0.0.1:8081/') }, true);
  // A worker prefers an engine of its machine, so the test reads the record.
  expect(await pointers.read(workerRecords.services)).toMatchObject({
    addresses: { ...OURS, maven: 'http://127.0.0.1:8081/' },
  });
  await share({ staging: there('127.0.0.1:5001') }, true);
  expect([await address('staging'), await address('maven')]).toEqual(['127.0.0.1:5001', 'http://127.0.0.1:8081/']);
  // A home that starts all services runs alone.
  await share();
  expect(await address('maven')).toBeNull();
});

test.each<[what: string, forge: (theirs: Proofs, stranger: Proofs) => object]>([
  ['without a proof', () => EVIL],
  ['with a proof that is text', () => ({ ...EVIL, proof: 'trust me' })],
  [
    "with the proof of another home's key",
    (_, stranger) => withProof(stranger, 'control', workerRecords.services, EVIL),
  ],
  ["with the proof of a builder's key", (theirs) => withProof(theirs, 'worker', workerRecords.services, EVIL)],
])(
  '[H7] given a services pointer %s, then it redirects neither engine nor registry, and the next `up` repairs it',
  async (_, forge) => {
    const { pointers, theirs, share, address } = await aWorld();
    const other = join(await newHome(), 'keys');
    makeHomeKeys(other);
    await share();
    await pointers.move(workerRecords.services, forge(theirs, openHomeKeys(other)), () => true);
    expect([await address('docker'), await address('staging')]).toEqual([null, null]);
    await share({ maven: { pid: 1, address: 'http://127.0.0.1:8081/', log: '' } }, true);
    expect([await address('docker'), await address('staging')]).toEqual([null, null]);
    await share();
    expect(await address('staging')).toBe(OURS.staging);
  },
);

test('[H7] given a worker announced without the key, then the release stops before anything is built', async () => {
  const { store, ours } = await aWorld();
  const told = { tools: {}, pythons: {}, bare: {}, can: ['host'], lookedFor: [] };
  const name = (worker: string) => workerRecords.announcement('linux', worker, '1');
  await store.create(name('linux@ours'), withProof(ours, 'worker', name('linux@ours'), told));
  await store.create(name('linux@forged'), told);
  const beat = { queue: 'linux', host: '', atMs: 0, startedMs: 0, running: true, used: 0, free: 1, pollers: 1 };
  const living = async () => ['linux@ours/1', 'linux@forged/1'].map((identity) => ({ ...beat, identity }));
  const seen = await seenWorkers({ living }, { store, proofs: ours }, 'linux');
  const problems = judgeWorkers({ queue: 'linux', tools: [], pythons: [], can: [] } as never, seen);
  expect(problems).toMatchObject([{ code: 'WORKER_IS_STRANGER', class: 'denied' }]);
  expect(problems[0]!.message).toContain('linux@forged');
});
