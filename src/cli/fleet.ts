import { whoCould } from '../engine/outages/unserved-queues.js';
import type { WorkerHeartbeat, WorkerPoller } from '../client/index.js';
import { announcement as announcementFault } from '../model/answers.js';
import type { Queue } from '../model/ids.js';
import { isProved, type Proofs, type Proved } from '../model/proof.js';
import { readIdentity, workerRecords, type Announcement, type WorkerName, type WorkerRecord } from '../model/worker.js';
import { requireClient } from './find-run.js';
import type { Ports } from './ports.js';

/** A worker as people see it. */
export interface WorkerView {
  readonly worker: WorkerName;
  readonly queue: Queue;
  /** `stranger`: it has no proof by this home's worker key, so its results are rejected. `silent`: it sends no heartbeat. */
  readonly state: 'serving' | 'draining' | 'quarantined' | 'silent' | 'stranger';
  /** ISO 8601. For a silent worker the time of its last heartbeat. */
  readonly since: string;
  readonly host: string;
  readonly slots: { readonly used: number; readonly free: number };
  /** Open requests for steps. */
  readonly pollers: number;
  /** Null if this store has none. */
  readonly announcement: Announcement | null;
  readonly reason?: string;
}

export interface FleetView {
  readonly workers: readonly WorkerView[];
  /** False if this home lacks `worker.key`, so that strangers cannot be recognised. */
  readonly checked: boolean;
  /** Queues of config/queues.yaml without a worker, with the machines that could serve them. */
  readonly unserved: readonly { readonly queue: Queue; readonly could: string }[];
}

/** Returns the workers of every queue. Pollers and heartbeats come from Temporal, announcements and operators' actions from the store. */
export async function fleetView(ports: Ports): Promise<FleetView> {
  await using client = await requireClient(ports);
  const queues = Object.keys(await ports.queues());
  const beats = (await client.workers()).filter(({ queue }) => queues.includes(queue));
  const proofs = await ports.proofs();
  const living = await Promise.all(beats.map((beat) => viewOf(beat, twice(beat, beats), ports, proofs)));
  const silent = await unheard(await client.pollers(queues), beats, ports, proofs);
  const away = await quarantined(ports, new Set(living.map(({ worker }) => worker)));
  const workers = [...living, ...silent, ...away].sort((a, b) => (a.worker < b.worker ? -1 : 1));
  const served = new Set(workers.filter(({ state }) => state === 'serving').map(({ queue }) => queue));
  const unserved = queues
    .filter((queue) => !served.has(queue))
    .map((queue) => ({ queue, could: released(queue, workers) ?? whoCould(queue) }));
  return { workers, unserved, checked: proofs.knows('worker') };
}

/** Returns the command that releases quarantined workers of a queue. A new worker on the same machine would be kept away too. */
function released(queue: Queue, workers: readonly WorkerView[]): string | null {
  const away = workers.filter((view) => view.queue === queue && view.state !== 'serving' && view.state !== 'silent');
  return away.length === 0 ? null : away.map(({ worker }) => `\`slipway worker release ${worker}\``).join(' or ');
}

/** Whether two processes call themselves the same. */
const twice = ({ identity, queue }: WorkerHeartbeat, all: readonly WorkerHeartbeat[]): boolean =>
  all.filter((other) => other.running && other.identity === identity && other.queue === queue).length > 1;

/** Programs that take steps of a queue and send no heartbeat, as far as nothing proves that they are ours. */
async function unheard(
  pollers: readonly WorkerPoller[],
  beats: readonly WorkerHeartbeat[],
  ports: Ports,
  proofs: Proofs,
): Promise<readonly WorkerView[]> {
  const rest = pollers.filter(
    ({ identity, queue }) => !beats.some((beat) => beat.identity === identity && beat.queue === queue),
  );
  const views = rest.map(async ({ identity, queue, atMs }): Promise<readonly WorkerView[]> => {
    const { isOurs } = await announced(queue, identity, ports, proofs);
    if (isOurs || !proofs.knows('worker')) return [];
    const since = new Date(atMs).toISOString();
    const slots = { used: 0, free: 0 };
    return [{ worker: identity, queue, state: 'stranger', since, host: '', slots, pollers: 1, announcement: null }];
  });
  return (await Promise.all(views)).flat();
}

async function viewOf(beat: WorkerHeartbeat, isTwice: boolean, ports: Ports, proofs: Proofs): Promise<WorkerView> {
  const known = readIdentity(beat.identity);
  const worker = known?.worker ?? beat.identity;
  const record = await recordOf(worker, ports);
  const away = !beat.running && record?.action === 'quarantine';
  const { announcement, isOurs } = await announced(beat.queue, beat.identity, ports, proofs);
  const stranger = proofs.knows('worker') && (isTwice || !isOurs);
  return {
    ...{ worker, queue: beat.queue, host: beat.host, pollers: beat.pollers },
    state: stranger
      ? 'stranger'
      : beat.silent
        ? 'silent'
        : away
          ? 'quarantined'
          : beat.running
            ? 'serving'
            : 'draining',
    since: new Date(beat.silent ? beat.atMs : beat.startedMs).toISOString(),
    slots: { used: beat.used, free: beat.free },
    announcement: stranger ? null : announcement,
    ...(isTwice && { reason: 'two processes use this name' }),
    ...(beat.running || !record ? {} : { reason: record.reason }),
  };
}

/** A process's announcement, and whether the home's key proves it. */
async function announced(
  queue: Queue,
  identity: string,
  ports: Ports,
  proofs: Proofs,
): Promise<{ readonly announcement: Announcement | null; readonly isOurs: boolean }> {
  const known = readIdentity(identity);
  if (known === null) return { announcement: null, isOurs: false };
  const name = workerRecords.announcement(queue, known.worker, known.instance);
  const announcement = await (await ports.store()).read<Proved<Announcement>>(name);
  if (announcement === null || announcementFault(announcement) !== null) return { announcement: null, isOurs: false };
  return { announcement, isOurs: isProved(proofs, 'worker', name, announcement) };
}

export const recordOf = async (worker: WorkerName, ports: Ports): Promise<WorkerRecord | null> =>
  (await ports.pointers()).read<WorkerRecord>(workerRecords.action(worker));

/** Every worker that ever announced itself in this store, with its last announcement's name. */
export async function knownWorkers(ports: Ports): Promise<ReadonlyMap<WorkerName, string>> {
  const names = await (await ports.store()).list('workers/');
  return new Map(names.map((name) => [name.split('/')[2] ?? '', name]));
}

/** Returns the workers that a quarantine keeps away. */
async function quarantined(ports: Ports, there: ReadonlySet<WorkerName>): Promise<readonly WorkerView[]> {
  const known = [...(await knownWorkers(ports))].filter(([worker]) => !there.has(worker));
  const views = known.map(async ([worker, name]): Promise<readonly WorkerView[]> => {
    const record = await recordOf(worker, ports);
    if (record?.action !== 'quarantine') return [];
    const announcement = await (await ports.store()).read<Announcement>(name);
    const { queue = '', host = '' } = announcement ?? {};
    const slots = { used: 0, free: 0 };
    const { at: since, reason } = record;
    return [{ worker, queue, state: 'quarantined', since, host, slots, pollers: 0, announcement, reason }];
  });
  return (await Promise.all(views)).flat();
}
