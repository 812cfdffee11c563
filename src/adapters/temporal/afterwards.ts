import { setTimeout as wait } from 'node:timers/promises';
import { ActivityNotFoundError, type AsyncCompletionClient, CancelledFailure } from '@temporalio/client';
import type { Afterwards } from '../../activities/step/ports.js';
import { HEARTBEAT_MS } from '../../model/heartbeat.js';
import type { HeartbeatDetails, StepEnding } from '../../model/messages.js';

type Told = Pick<AsyncCompletionClient, 'complete' | 'fail' | 'reportCancellation' | 'heartbeat'>;

export interface Keeping extends Afterwards {
  /** Resolves when all that was taken has been told. */
  idle(): Promise<void>;
}

/** @param atOnce attempts whose results may be kept besides those that hold slots
 * @param onLost told where Temporal could not be told: it gives the step to another worker, which finds the result */
export function createAfterwards(client: Told, atOnce: number, onLost: (error: unknown) => void): Keeping {
  const under = new Set<Promise<void>>();
  return {
    take(taskToken, ending, beat) {
      if (under.size >= atOnce) return false;
      const done = told(client, taskToken, ending, beat)
        .catch((error: unknown) => {
          // Timed out meanwhile, or its run was ended: nobody waits for it.
          if (!(error instanceof ActivityNotFoundError)) onLost(error);
        })
        .finally(() => under.delete(done));
      under.add(done);
      return true;
    },
    idle: async () => {
      while (under.size > 0) await Promise.all(under);
    },
  };
}

async function told(
  client: Told,
  taskToken: Uint8Array,
  ending: Promise<StepEnding>,
  beat: () => HeartbeatDetails,
): Promise<void> {
  const over = new AbortController();
  void beating(client, taskToken, beat, over.signal);
  try {
    const answer = await ending
      .finally(() => over.abort())
      .then(
        (made) => ({ made }),
        (error: unknown) => ({ error }),
      );
    if ('made' in answer) return await client.complete(taskToken, answer.made);
    if (answer.error instanceof CancelledFailure) return await client.reportCancellation(taskToken);
    await client.fail(taskToken, answer.error);
  } finally {
    over.abort();
  }
}

/** A store that is slow, or away, does not look like a worker that is lost. */
async function beating(
  client: Told,
  taskToken: Uint8Array,
  beat: () => HeartbeatDetails,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    const goesOn = await wait(HEARTBEAT_MS, true, { signal: over }).catch(() => false);
    if (!goesOn) return;
    await client.heartbeat(taskToken, beat()).catch(() => undefined); // it tells of a cancel, too: the result is kept all the same
  }
}
