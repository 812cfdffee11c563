import { defineQuery } from '@temporalio/workflow';
import { STATUS_QUERY, type RunStatus, type Verdict } from '../model/messages.js';

/** What a finished run answers; a failed one carries the status in its failure's details. */
export interface RunOutcome extends Verdict {
  readonly status: RunStatus;
}

export const statusQuery = defineQuery<RunStatus>(STATUS_QUERY);
