import type { StepInput } from '../../model/messages.js';
import { type Started, records } from '../../model/run-folder.js';
import type { StepContext } from './ports.js';

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
