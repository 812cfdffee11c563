import { ApplicationFailure, Context } from '@temporalio/activity';
import { sha256 } from '../../src/activities/sha256.js';
import type { Checkpoint, LoadCheckpoint, SaveCheckpoint } from '../../src/model/checkpoint.js';
import { digestOf } from '../../src/model/digest.js';
import { SlipwayFailure, type Problem } from '../../src/model/failure.js';
import { KINDS, type KindName } from '../../src/model/kinds.js';
import type { StepEnding, StepInput, WatchFleet } from '../../src/model/messages.js';
import type { FleetSeen } from '../../src/model/worker.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aSkeleton } from '../engine/a-skeleton.js';

export type FakeStep = (input: StepInput, signal: AbortSignal) => Promise<StepEnding> | StepEnding;

/** A wheel, its test, the seal and the report. */
export const SMALL_RELEASE = aSkeleton([
  { id: 'wheels/a' },
  { id: 'tests/a', needs: [0] },
  { id: 'seal', wants: [0, 1] },
  { id: 'report', after: [0, 1, 2] },
]);

export const ending: StepEnding = { outcome: 'done', ms: 5, worker: 'fake', note: 'faked' };

/** Carries problems as the real workers do: a coded failure, non-retryable, details = [FailureDetails]. */
const coded = (problems: readonly Problem[]): ApplicationFailure =>
  ApplicationFailure.create({
    type: problems[0]!.code,
    message: problems[0]!.message,
    nonRetryable: true,
    details: [{ problems }],
  });

/** A run's status is kept nowhere, makePlan answers the skeleton of the input's `file`; every kind does what `step` says. */
export function fakeActivities(skeletonOf: (file: string) => Skeleton | Promise<Skeleton>, step: FakeStep): object {
  const perform = async (input: StepInput): Promise<StepEnding> => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), 200);
    try {
      return await step(input, context.cancellationSignal);
    } catch (error) {
      throw error instanceof SlipwayFailure ? coded(error.problems) : error;
    } finally {
      clearInterval(beat);
    }
  };
  const kinds = Object.keys(KINDS) as KindName[];
  return {
    keepStatus: async () => undefined,
    keepAudit: async () => undefined,
    ...fakeCheckpoints(),
    ...Object.fromEntries(kinds.map((kind) => [kind, perform])),
    async makePlan({ file }: { file: string }): Promise<Skeleton> {
      try {
        return await whenGiven(() => skeletonOf(file));
      } catch (error) {
        throw error instanceof SlipwayFailure ? coded(error.problems) : error;
      }
    },
  };
}

/** The watch over queues: tells these in turn, a moment apart, then nothing until it is cancelled. */
export function fakeWatch(seen: readonly FleetSeen[] = []): { watchFleet: WatchFleet } {
  const left = [...seen];
  return {
    watchFleet: async () => {
      const context = Context.current();
      const beat = setInterval(() => context.heartbeat(), 200);
      try {
        await context.sleep(100);
        return left.shift() ?? (await untilAborted(context.cancellationSignal));
      } finally {
        clearInterval(beat);
      }
    },
  };
}

/** Checkpoints in memory. */
export function fakeCheckpoints(): { saveCheckpoint: SaveCheckpoint; loadCheckpoint: LoadCheckpoint } {
  const saved = new Map<string, string>();
  return {
    saveCheckpoint: async ({ checkpoint }) => {
      const digest = digestOf(checkpoint, sha256);
      saved.set(digest, JSON.stringify(checkpoint));
      return digest;
    },
    loadCheckpoint: async ({ digest }) => JSON.parse(saved.get(digest)!) as Checkpoint,
  };
}

const whenGiven = async <T>(make: () => T | Promise<T>): Promise<T> => make();

/** Waits for the abort as a well-behaved step does, and rejects with it. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
