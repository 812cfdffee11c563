import { workflowInfo } from '@temporalio/workflow';
import { fail } from '../model/failure.js';
import type { RunId } from '../model/ids.js';
import { startedByHand } from './errors.js';

/** Throws WORKFLOW_STARTED_BY_HAND unless the parent run started this workflow. Its input comes from no other. */
export function onlyChildOf(root: { readonly workflowId: string; readonly runId: RunId } | undefined): void {
  const { parent, workflowType } = workflowInfo();
  if (parent?.workflowId === root?.workflowId && parent?.runId === root?.runId && parent !== undefined) return;
  throw fail(startedByHand(workflowType));
}
