import { setTimeout as wait } from 'node:timers/promises';
import { ActivityNotFoundError, type AsyncCompletionClient, CancelledFailure } from '@temporalio/client';
import type { Afterwards } from '../../activities/step/ports.js';
import { HEARTBEAT_MS } from '../../model/heartbeat.js';
import type { HeartbeatDetails, StepEnding } from '../../model/messages.js';

type Told = Pick<AsyncCompletionClient, 'complete' | 'fail' | 'reportCancellation' | 'heartbeat'>;

export interface Keeping extends Afterwards {
  /** Resolves once Temporal has all results. */
  idle(): Promise<void>;
}

/** Reports results after their slots are free.
 * @param atOnce limit of such attempts */
export function createAfterwards(client: Told, atOnce: number): Keeping {
  const under = new Set<Promise<void>>();
  return {
    take(taskToken, ending, beat, onLost) {
      if (under.size >= atOnce) return false;
      const done = told(client, taskToken, ending, beat)
        .catch((error: unknown) => {
          // The attempt timed out or its run ended, so the result is not needed.
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

/** Sends heartbeats meanwhile, so that a slow store does not look like a lost worker. */
async function beating(
  client: Told,
  taskToken: Uint8Array,
  beat: () => HeartbeatDetails,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    const goesOn = await wait(HEARTBEAT_MS, true, { signal: over }).catch(() => false);
    if (!goesOn) return;
    await client.heartbeat(taskToken, beat()).catch(() => undefined); // a rejection may mean a cancel; the result is stored nevertheless
  }
}
