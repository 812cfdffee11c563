import { setTimeout as wait } from 'node:timers/promises';
import type { Pointers } from '../activities/ports.js';
import { fail } from '../model/failure.js';
import { workerRecords, type WorkerName, type WorkerWord } from '../model/worker.js';
import { quarantined } from './errors.js';

const LOOK_MS = 2000;

export interface Words {
  /** Whether the worker may take steps. In quarantine it stands by until it is released (true) or the signal aborts (false), or
   * throws WORKER_QUARANTINED where there is no such call. */
  admitted(onStandBy: (() => void) | null, signal: AbortSignal): Promise<boolean>;
  /** The next word that asks the worker to take no more; null when the signal aborts. */
  leave(signal: AbortSignal): Promise<WorkerWord | null>;
  /** Resolves once a word lets it come back. */
  released(): Promise<void>;
}

/** What operators say to a worker, through the store: a worker behind a firewall needs no other way in. */
export function createWords(pointers: Pick<Pointers, 'read'>, worker: WorkerName): Words {
  let heard = 0;
  const latest = (): Promise<WorkerWord | null> => pointers.read<WorkerWord>(workerRecords.word(worker));
  const until = async (so: (word: WorkerWord | null) => boolean, signal?: AbortSignal): Promise<WorkerWord | null> => {
    for (;;) {
      // A store that is away for a while says nothing.
      const word = await latest().catch(() => undefined);
      if (word !== undefined && so(word)) return word;
      await wait(LOOK_MS, undefined, signal ? { signal } : {});
    }
  };
  const isAway = (word: WorkerWord | null): boolean => word?.say === 'quarantine';
  return {
    async admitted(onStandBy, signal) {
      const word = await latest();
      if (isAway(word) && onStandBy === null) throw fail(quarantined(worker, word!));
      if (isAway(word)) onStandBy!();
      const now = isAway(word) ? await until((next) => !isAway(next), signal).catch(() => undefined) : word;
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
