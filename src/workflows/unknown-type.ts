import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { typeUnknown } from './errors.js';
import { withoutStack } from './without-stack.js';

/** A type mistyped by hand: without this the run's first task would fail and be tried again for ever. */
export async function unknownType(): Promise<never> {
  const problem = typeUnknown(workflowInfo().workflowType);
  const message = `${problem.message}. ${problem.next}`;
  throw withoutStack(ApplicationFailure.nonRetryable(message, problem.code, { problems: [problem] }));
}
