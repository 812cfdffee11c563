import { defineQuery } from '@temporalio/workflow';
import { RERUN_QUERY, type RerunPreview } from '../model/actions.js';
import { STATUS_QUERY, type RunStatus, type Verdict } from '../model/messages.js';

/** Result of the workflow. A failed run has the status in the details of its failure. */
export interface RunOutcome extends Verdict {
  readonly status: RunStatus;
}

/** Query: what `retry --from` would do. */
export const rerunQuery = defineQuery<RerunPreview, [unknown]>(RERUN_QUERY);

export const statusQuery = defineQuery<RunStatus>(STATUS_QUERY);
