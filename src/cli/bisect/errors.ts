import { MOST_WAYS } from '../../model/bisect.js';
import { problem } from '../../model/problem.js';

export const notWays = problem.config((value: string) => [
  'BISECT_WAYS',
  `--ways ${JSON.stringify(value)} is no number from 1 to ${MOST_WAYS}`,
  'Write how many commits are tried at once: `--ways 3`.',
]);
export const noEnds = problem.config((test: string, missing: readonly string[]) => [
  'BISECT_NO_ENDS',
  `${missing.map((end) => `--${end}`).join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing, and no standing of ${JSON.stringify(test)} tells since when it fails`,
  'Name the last commit at which the test passed and one at which it fails: `--good COMMIT --bad COMMIT`.',
]);
export const isBisect = problem.config((workflowId: string) => [
  'RUN_IS_BISECT',
  `${workflowId} is a bisect, which has no steps of its own`,
  `Type \`slipway status ${workflowId}\` for its tries and its answer. A try is a run: \`slipway status pipeline/NAME/LABEL\`.`,
]);
