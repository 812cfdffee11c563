import { hostname } from 'node:os';
import { createDifferences, measureWorker } from '../activities/fleet/measure-worker.js';
import type { Interpreters } from '../activities/pythons/ports.js';
import { machineName } from '../activities/prove-queue/measure.js';
import type { StepContext } from '../activities/step/ports.js';
import { whyNotEmulated } from '../adapters/docker/emulation.js';
import { createDocker } from '../adapters/docker/index.js';
import { readFleet } from '../adapters/facts/profile.js';
import { packageRoot } from '../adapters/home.js';
import { createInterpreters } from '../adapters/python/interpreters.js';
import { fail } from '../model/failure.js';
import { CONTROL, type Queue } from '../model/ids.js';
import { withProof, type Proofs } from '../model/proof.js';
import { isMachine, workerRecords, type Announcement } from '../model/worker.js';
import { buildDigest } from '../services/build-digest.js';
import { keyAbsent, queueUnknown, requiredToolAbsent, wrongMachine } from './errors.js';
import { slotsOf, type Me } from './options.js';

/** A platform other than this machine's. */
const OTHER = process.arch === 'arm64' ? 'linux/amd64' : 'linux/arm64';

export interface Equipped {
  readonly around: StepContext;
  readonly interpreters: Interpreters;
}

/** Measures this worker's tools, refuses a worker without its queue's required ones, and stores the announcement
 * before the first step. The home's key signs it; without that, other workers treat this one as a stranger. Throws
 * WORKER_…. */
export async function announce(
  queue: Queue,
  me: Me,
  around: StepContext & { readonly proofs: Proofs },
): Promise<Equipped> {
  const { proofs } = around;
  const keyless = [
    ...(proofs.holds('worker') ? [] : ['worker.key']),
    ...(queue !== CONTROL || proofs.holds('control') ? [] : ['control.key']),
    ...(proofs.knows('control') ? [] : ['control.pub']),
  ];
  if (keyless.length > 0) throw fail(keyAbsent(queue, keyless));
  const { queues } = await readFleet();
  const row = queues[queue];
  if (!row) throw fail(queueUnknown(queue, Object.keys(queues)));
  if (isMachine(queue) && queue !== machineName()) throw fail(wrongMachine(queue, machineName()));
  const interpreters = createInterpreters(around.env);
  const engine = createDocker(() => around.service('docker'), around.env).answer;
  const emulates = async () => (await whyNotEmulated(OTHER)) === null;
  const measured = await measureWorker(around, { interpreters, engine, emulates }, row.tools);
  const absent = row.tools.filter((tool) => !(tool in measured.tools));
  if (absent.length > 0) throw fail(requiredToolAbsent(queue, absent));
  const announcement: Announcement = {
    ...measured,
    ...{ worker: me.worker, instance: me.instance, queue, host: hostname(), slots: slotsOf(queue) },
    build: buildDigest(packageRoot()),
    at: new Date(around.now()).toISOString(),
  };
  const name = workerRecords.announcement(queue, me.worker, me.instance);
  await around.store.create(name, withProof(proofs, 'worker', name, announcement));
  const python = async (tag: string) => (await interpreters.find(tag))?.path ?? null;
  const differs = createDifferences(around, interpreters, announcement);
  return { around: { ...around, python, differs }, interpreters };
}
