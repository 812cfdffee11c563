import { Context } from '@temporalio/activity';
import { assertRun } from '../../../../activities/step/asked.js';
import { problemsOf } from '../../../../activities/step/failures.js';
import { asApplicationFailure } from '../../../../activities/step/perform.js';
import type { StepContext } from '../../../../activities/step/ports.js';
import { reveal } from '../../../../activities/step/secrets.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import { fail } from '../../../../model/failure.js';
import { HEARTBEAT_MS } from '../../../../model/heartbeat.js';
import { CONTROL, type RunId } from '../../../../model/ids.js';
import type { Hooks } from '../../schemas/hooks.js';
import { hooksPath, readHooksFile } from '../hooks-file.js';
import { problems } from './errors.js';

/** One attempt of an activity. `beat`: details of its heartbeats. */
export interface Attempt {
  readonly context: Context;
  readonly hooks: Hooks;
  readonly to: TrackerConnection;
  readonly beat: { waits?: string | null; edited?: number };
}

/** Wraps an activity of comments: opens GitHub, sends heartbeats, and tells failures with their codes. Temporal tries outages again. */
export const commenting =
  <In extends { readonly run: RunId }, Out>(around: StepContext, act: (input: In, attempt: Attempt) => Promise<Out>) =>
  async (input: In): Promise<Out> => {
    const context = Context.current();
    const { cancellationSignal: signal } = context;
    const beat: Attempt['beat'] = {};
    const beats = setInterval(() => context.heartbeat({ ...beat }), HEARTBEAT_MS);
    try {
      assertRun(input);
      const hooks = await readHooksFile(around.home);
      if (hooks === null) throw fail(problems.hooksAbsent(hooksPath(around.home)));
      const { address, repository } = hooks;
      const token = await reveal(
        around,
        { log: { hide: () => undefined }, signal, on: CONTROL },
        hooks.token,
        'secret',
      );
      const waits = (because: string | null): void => void (beat.waits = because);
      return await act(input, {
        context,
        hooks,
        beat,
        to: { name: 'hooks.yaml', address, repository, token, signal, waits },
      });
    } catch (error) {
      throw signal.aborted ? error : crossing(error, around.home);
    } finally {
      clearInterval(beats);
    }
  };

/** GitHub says how long it accepts no request. Until then no attempt asks. */
function crossing(error: unknown, home: string): Error {
  const found = problemsOf(error, null, home);
  const failure = asApplicationFailure(found, { again: ['infra', 'lost'].includes(classOf(found)) });
  const seconds = found[0]?.details?.['seconds'];
  return typeof seconds === 'number' ? Object.assign(failure, { nextRetryDelay: seconds * 1000 }) : failure;
}
