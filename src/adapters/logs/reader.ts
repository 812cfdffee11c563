import { setTimeout as wait } from 'node:timers/promises';
import type { LogPiece, LogReader, Store } from '../../activities/ports.js';
import { type Chunk, chunkName } from './chunk.js';

const LOOK_AGAIN_MS = 200;

export const createLogReader = (store: Pick<Store, 'read'>): LogReader => ({
  pieces: (prefix, options) => chunks(store, prefix, options),
});

async function* chunks(
  store: Pick<Store, 'read'>,
  prefix: string,
  { follow, signal }: { follow: boolean; signal?: AbortSignal },
): AsyncIterable<LogPiece> {
  let closed = false;
  for (let number = 1; ;) {
    const over = closed || !follow || signal?.aborted;
    const chunk = await store.read<Chunk>(chunkName(prefix, number));
    if (chunk === null) {
      if (over) return;
      await pause(signal);
      continue;
    }
    number += 1;
    // Another writer may have continued after a closed one, so read once more after the mark.
    closed = chunk.last === true;
    if (chunk.text !== '') yield { text: chunk.text, own: chunk.own ?? [] };
  }
}

const pause = (signal: AbortSignal | undefined): Promise<void> =>
  wait(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
