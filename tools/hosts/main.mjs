// `npm run hosts [-- EXAMPLE]`: three hosts in network namespaces of this machine, and a release across them (docs/hosts.md).
//   --fault HOST:FAULT[:SECONDS]    meanwhile, once all slots of that host are taken
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tell } from '../start/problem.mjs';
import { argumentsOf } from './arguments.mjs';
import { prepareFault } from './faults.mjs';
import { openGateway } from './gateway.mjs';
import { endHomes, startBuilder, startControl } from './homes.mjs';
import { assertPossible, HOSTS, makeNetwork, removeNetwork } from './network.mjs';
import { endAll } from './processes.mjs';
import { release } from './release.mjs';
import { makeCertificates, startBucket, startPostgres, startTemporal } from './servers.mjs';
import { openServices } from './tunnel.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
/** Tasks of the end; the last one is done first. */
const ending = [];

async function main(argv) {
  process.umask(0o077);
  const asked = argumentsOf(root, argv);
  assertPossible();
  const folder = mkdtempSync(join(tmpdir(), 'slw-'));
  // The user postgres passes this folder to its own one; nothing else in it is open.
  chmodSync(folder, 0o711);
  ending.push(() =>
    process.exitCode === 0 ? rmSync(folder, { recursive: true, force: true }) : console.error(`logs: ${folder}/log`),
  );
  ending.push(removeNetwork);
  makeNetwork();
  ending.push(endAll);
  openGateway(folder);
  prepareFault(folder, asked.fault);
  const bucket = await startControlHost(folder);
  const builders = HOSTS.slice(1);
  for (const host of builders) ending.push(() => endHomes(root, folder, bucket, [host]));
  await Promise.all(builders.map((host) => startBuilder(root, folder, bucket, host)));
  said(`${builders.join(' and ')} serve`);
  return release(root, folder, bucket, asked);
}

async function startControlHost(folder) {
  const certificates = join(folder, 'certificates');
  makeCertificates(root, certificates);
  await startTemporal(root, folder, await startPostgres(folder));
  said('Temporal on PostgreSQL');
  const bucket = await startBucket(root, folder, certificates);
  openServices(folder, certificates);
  said('bucket and services behind TLS');
  ending.push(() => endHomes(root, folder, bucket, ['control']));
  await startControl(root, folder, bucket);
  said('control serves');
  return bucket;
}

const begun = performance.now();
const said = (text) => console.error(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);

let over = null;
/** Ends all once; each caller waits for the same end. */
const end = () => (over ??= endParts());

/** Goes on to the next part where one fails: the network is removed in any case. */
async function endParts() {
  for (const act of ending.toReversed()) {
    try {
      await act();
    } catch (error) {
      process.exitCode = tell(error);
    }
  }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    process.exitCode = 130;
    void end().then(() => process.exit());
  });

main(process.argv.slice(2)).then(
  (code) => ((process.exitCode ??= code), end()),
  (error) => ((process.exitCode ??= tell(error)), end()),
);
