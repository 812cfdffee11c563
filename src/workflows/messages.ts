import { defineQuery } from '@temporalio/workflow';
import { RERUN_QUERY, type RerunPreview } from '../model/words.js';
import { STATUS_QUERY, type RunStatus, type Verdict } from '../model/messages.js';

/** What a finished run answers; a failed one carries the status in its failure's details. */
export interface RunOutcome extends Verdict {
  readonly status: RunStatus;
}

/** What `retry --from` would do: asked before it is said. */
export const rerunQuery = defineQuery<RerunPreview, [unknown]>(RERUN_QUERY);

export const statusQuery = defineQuery<RunStatus>(STATUS_QUERY);
