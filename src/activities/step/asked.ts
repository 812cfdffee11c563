import { fail } from '../../model/failure.js';
import type { RunId } from '../../model/ids.js';
import type { StepInput } from '../../model/messages.js';
import { askedWrongly } from './errors.js';
import { type Started, records } from '../../model/run-folder.js';
import type { StepContext } from './ports.js';

/** A run's id is part of folder and record names. */
const RUN = /^[A-Za-z0-9_-]{1,64}$/;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** Any program that reaches the server can schedule an activity with any input. Throws STEP_INPUT_INVALID. */
export function assertRun({ run }: { readonly run: RunId }): void {
  if (typeof run !== 'string' || !RUN.test(run)) throw fail(askedWrongly('run', run));
}

export function assertStepInput(input: StepInput): void {
  assertRun(input);
  if (!isCount(input.attempt)) throw fail(askedWrongly('attempt', input.attempt));
  if (input.round !== undefined && !isCount(input.round)) throw fail(askedWrongly('round', input.round));
}

/** Records the start of a run once, so that its logs are found without a Temporal server. */
export function startNoter(
  around: Pick<StepContext, 'store' | 'now'>,
): (input: Pick<StepInput, 'run' | 'plan'>, workflowId: string) => Promise<void> {
  const noted = new Set<string>();
  return async ({ run, plan }, workflowId) => {
    if (noted.has(run)) return;
    const started: Started = { run, workflowId, plan, at: new Date(around.now()).toISOString() };
    await around.store.create(records.started(run), started);
    noted.add(run);
  };
}
