import { setTimeout as wait } from 'node:timers/promises';
import type { Pointers } from '../activities/ports.js';
import { fail } from '../model/failure.js';
import { workerRecords, type WorkerName, type WorkerWord } from '../model/worker.js';
import { quarantined } from './errors.js';

const LOOK_MS = 2000;

export interface Words {
  /** Resolves to true when the worker may take steps. In quarantine it calls `onStandBy` and waits for a release, or
   * resolves to false on abort. Throws WORKER_QUARANTINED if `onStandBy` is null. */
  admitted(onStandBy: (() => void) | null, signal: AbortSignal): Promise<boolean>;
  /** Resolves to the next word that stops the worker. Null on abort. */
  leave(signal: AbortSignal): Promise<WorkerWord | null>;
  /** Resolves at the next release. */
  released(): Promise<void>;
}

/** Reads operators' words from the store, which also reaches workers behind a firewall. */
export function createWords(pointers: Pick<Pointers, 'read'>, worker: WorkerName): Words {
  let heard = 0;
  const latest = (): Promise<WorkerWord | null> => pointers.read<WorkerWord>(workerRecords.word(worker));
  const until = async (so: (word: WorkerWord | null) => boolean, signal?: AbortSignal): Promise<WorkerWord | null> => {
    for (;;) {
      // Ignores a store that is down.
      const word = await latest().catch(() => undefined);
      if (word !== undefined && so(word)) return word;
      await wait(LOOK_MS, undefined, signal ? { signal } : {});
    }
  };
  const isQuarantined = (word: WorkerWord | null): boolean => word?.say === 'quarantine';
  return {
    async admitted(onStandBy, signal) {
      const word = await latest();
      if (isQuarantined(word) && onStandBy === null) throw fail(quarantined(worker, word!));
      if (isQuarantined(word)) onStandBy!();
      const now = isQuarantined(word)
        ? await until((next) => !isQuarantined(next), signal).catch(() => undefined)
        : word;
      heard = now?.no ?? 0;
      return now !== undefined;
    },
    async leave(signal) {
      const word = await until((next) => (next?.no ?? 0) > heard && next!.say !== 'release', signal).catch(() => null);
      heard = word?.no ?? heard;
      return word;
    },
    async released() {
      await until((next) => (next?.no ?? 0) > heard && next!.say === 'release');
    },
  };
}
