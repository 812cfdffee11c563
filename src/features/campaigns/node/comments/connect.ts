import { Context } from '@temporalio/activity';
import { assertRun } from '../../../../activities/step/asked.js';
import { problemsOf } from '../../../../activities/step/failures.js';
import { asApplicationFailure } from '../../../../activities/step/perform.js';
import type { StepContext } from '../../../../activities/step/ports.js';
import { reveal } from '../../../../activities/step/secrets.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import { HEARTBEAT_MS } from '../../../../model/heartbeat.js';
import { CONTROL, type RunId } from '../../../../model/ids.js';
import type { JsonObject } from '../../../../model/json.js';
import type { Hooks } from '../../schemas/hooks.js';
import { hooksOf } from './hooks-of.js';

/** One attempt of an activity. */
export interface Attempt {
  readonly context: Context;
  readonly hooks: Hooks;
  readonly to: TrackerConnection;
  /** Sets the details of its heartbeats. */
  beats(details: JsonObject): void;
}

/** Wraps an activity of comments: opens GitHub, sends heartbeats, and tells failures with their codes. Temporal tries outages again. */
export const commenting =
  <In extends { readonly run: RunId }, Out>(around: StepContext, act: (input: In, attempt: Attempt) => Promise<Out>) =>
  async (input: In): Promise<Out> => {
    const context = Context.current();
    let details: JsonObject = {};
    const beats = setInterval(() => context.heartbeat(details), HEARTBEAT_MS);
    try {
      assertRun(input);
      const hooks = await hooksOf(around.home);
      const to = await connected(
        around,
        hooks,
        context.cancellationSignal,
        (because) => (details = { ...details, waits: because }),
      );
      return await act(input, { context, hooks, to, beats: (now) => (details = now) });
    } catch (error) {
      if (context.cancellationSignal.aborted) throw error;
      throw crossing(error, around.home);
    } finally {
      clearInterval(beats);
    }
  };

/** GitHub says how long it accepts no request. Until then no attempt asks. */
function crossing(error: unknown, home: string): Error {
  const problems = problemsOf(error, null, home);
  const failure = asApplicationFailure(problems, { again: TRIED_AGAIN.includes(classOf(problems)) });
  const seconds = problems[0]?.details?.['seconds'];
  return typeof seconds === 'number' ? Object.assign(failure, { nextRetryDelay: seconds * 1000 }) : failure;
}
const TRIED_AGAIN: readonly string[] = ['infra', 'lost'];

async function connected(
  around: StepContext,
  { address, repository, token }: Hooks,
  signal: AbortSignal,
  waits: TrackerConnection['waits'],
): Promise<TrackerConnection> {
  const value = await reveal(around, { log: { hide: () => undefined }, signal, on: CONTROL }, token ?? '', 'secret');
  return { name: 'hooks.yaml', address, repository, token: value, signal, waits };
}
