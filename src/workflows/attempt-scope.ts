import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

type Listener = (why: unknown) => void;

/** A cancellation scope around one attempt, without the promises of the SDK's own: those hang on the scope around them until the run
 * ends, and for each promise of a workflow the SDK writes down a stack. They were more than half of what a step cost the worker. It
 * has what the SDK asks of the scope that an activity is scheduled in. */
export class AttemptScope {
  readonly cancellable = true;
  consideredCancelled = false;
  readonly cancelRequested = { catch: (listener: Listener): void => this.#hear(listener) };
  readonly #listeners: Listener[] = [];

  /** Schedules what `act` schedules here. */
  run<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    return CancellationScope.prototype.run.call(this as unknown as CancellationScope, act) as Promise<Answer>;
  }

  /** The SDK runs it in the scope's context. */
  runInContext<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    return act();
  }

  /** Rejects when it is cancelled. */
  cancelled(): Promise<never> {
    return new Promise((_, reject) => this.#hear(reject));
  }

  cancel(): void {
    this.consideredCancelled = true;
    for (const listener of this.#listeners.splice(0)) listener(stopped());
  }

  #hear(listener: Listener): void {
    if (this.consideredCancelled) listener(stopped());
    else this.#listeners.push(listener);
  }
}

const stopped = (): CancelledFailure => new CancelledFailure('the attempt was stopped');
