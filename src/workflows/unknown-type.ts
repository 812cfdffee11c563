import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { typeUnknown } from './errors.js';
import { withoutStack } from './fatal-errors.js';

/** Fails a workflow of an unknown type. Otherwise its first workflow task would be retried for ever. */
export async function unknownType(): Promise<never> {
  const problem = typeUnknown(workflowInfo().workflowType);
  const message = `${problem.message}. ${problem.next}`;
  throw withoutStack(ApplicationFailure.nonRetryable(message, problem.code, { problems: [problem] }));
}
