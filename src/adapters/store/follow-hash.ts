import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Digest } from '../../model/digest.js';
import { packageRoot } from '../home.js';

/** What the thread shares with us: the bytes written so far, doubled, plus one when there will be no more. */
export interface Followed {
  readonly path: string;
  readonly grown: BigInt64Array;
}
/** Hashes a file in a thread of its own while it is written. */
export interface Follower {
  grown(totalBytes: number): void;
  /** Digest of all that was written: of the file as it stands, not of what was to go there. */
  end(): Promise<Digest>;
  stop(): Promise<void>;
}

const program = (): string => join(packageRoot(), 'dist', 'adapters', 'store', 'follow-worker.js');

/** Waking another thread costs us more than writing a megabyte does. */
const WAKE_EVERY_BYTES = 8 << 20;

export function followHash(path: string): Follower {
  const grown = new BigInt64Array(new SharedArrayBuffer(8));
  const worker = new Worker(program(), { workerData: { path, grown } satisfies Followed });
  const answer = once(worker, 'message') as Promise<[string]>;
  answer.catch(() => undefined); // told by `end`
  let [written, told] = [0, 0];
  const tell = (ended: boolean): void => {
    told = written;
    Atomics.store(grown, 0, BigInt(written) * 2n + (ended ? 1n : 0n));
    Atomics.notify(grown, 0);
  };
  return {
    grown: (totalBytes) => {
      written = totalBytes;
      if (written - told >= WAKE_EVERY_BYTES) tell(false);
    },
    end: async () => {
      tell(true);
      const [hex] = await answer;
      return `sha256:${hex}`;
    },
    stop: async () => void (await worker.terminate()),
  };
}
