import { setTimeout as wait } from 'node:timers/promises';
import type { Pointers } from '../activities/ports.js';
import { fail } from '../model/failure.js';
import { workerRecords, type WorkerName, type WorkerRecord } from '../model/worker.js';
import { quarantined } from './errors.js';

const LOOK_MS = 2000;

export interface WorkerActions {
  /** Resolves to true when the worker may take steps. In quarantine it calls `onStandBy` and waits for a release, or
   * resolves to false on abort. Throws WORKER_QUARANTINED if `onStandBy` is null. */
  admitted(onStandBy: (() => void) | null, signal: AbortSignal): Promise<boolean>;
  /** Resolves to the next action that stops the worker. Null on abort. */
  leave(signal: AbortSignal): Promise<WorkerRecord | null>;
  /** Resolves at the next release. */
  released(): Promise<void>;
}

/** Reads operators' actions from the store, which also reaches workers behind a firewall. */
export function createWorkerActions(
  pointers: Pick<Pointers, 'read'>,
  worker: WorkerName,
  lookMs = LOOK_MS,
): WorkerActions {
  let heard = 0;
  const latest = (): Promise<WorkerRecord | null> => pointers.read<WorkerRecord>(workerRecords.action(worker));
  const until = async (
    so: (record: WorkerRecord | null) => boolean,
    signal?: AbortSignal,
  ): Promise<WorkerRecord | null> => {
    for (;;) {
      // Ignores a store that is down.
      const record = await latest().catch(() => undefined);
      if (record !== undefined && so(record)) return record;
      await wait(lookMs, undefined, signal ? { signal } : {});
    }
  };
  const isQuarantined = (record: WorkerRecord | null): boolean => record?.action === 'quarantine';
  return {
    async admitted(onStandBy, signal) {
      const record = await latest();
      if (isQuarantined(record) && onStandBy === null) throw fail(quarantined(worker, record!));
      if (isQuarantined(record)) onStandBy!();
      const now = isQuarantined(record)
        ? await until((next) => !isQuarantined(next), signal).catch(() => undefined)
        : record;
      heard = now?.no ?? 0;
      return now !== undefined;
    },
    async leave(signal) {
      const record = await until((next) => (next?.no ?? 0) > heard && next!.action !== 'release', signal).catch(
        () => null,
      );
      heard = record?.no ?? heard;
      return record;
    },
    async released() {
      await until((next) => (next?.no ?? 0) > heard && next!.action === 'release');
    },
  };
}
