import { problem } from '../../model/problem.js';
import type { ClusterTestParams } from '../../model/tests/cluster.js';
import { endDetails } from '../../model/tests/ends.js';
import type { JsonObject } from '../../model/json.js';

type Lines = readonly string[];

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

export const rayAbsent = problem.config((step: string) => [
  'CLUSTER_REFUSED',
  `the environment of ${step} has no program ray: neither its wheels nor its locks hold Ray`,
  'Write an entry of `deps:` whose `requires` has ray[default], and name it under `needs:`.',
  { details: endDetails('CLUSTER_REFUSED') },
]);
/** @param fault why the nodes cannot be counted. Null if they can */
export const nodesMissing = problem.infra(
  (step: string, seen: number, wait: ClusterTestParams['wait'], fault: string | null) => [
    'NODES_MISSING',
    `${step} waited ${seconds(wait.forMs)} for ${wait.nodes} nodes, and ${seen} were alive`,
    'The step tries again with a new cluster as `retry.infra` says. Look for the nodes that did not start in `slipway logs STEP`, or raise `wait.for`.',
    {
      ...(fault !== null && { evidence: [fault] }),
      details: { ...endDetails('NODES_MISSING'), seen, wanted: wait.nodes },
    },
  ],
);
export const prepareFailed = problem.product((step: string, code: number, lines: Lines, details: JsonObject) => [
  'PREPARE_FAILED',
  `the line \`prepare\` of ${step} ended with status ${code}, so the test did not start`,
  `\`slipway logs ${step}\` shows its output. Correct \`prepare.run\`, then start the run again.`,
  { evidence: lines, details: { ...details, ...endDetails('PREPARE_FAILED'), status: code } },
]);
export const prepareTimedOut = problem.infra((step: string, limitMs: number, lines: Lines, details: JsonObject) => [
  'PREPARE_TIMED_OUT',
  `the line \`prepare\` of ${step} was still running after ${seconds(limitMs)}`,
  'The step tries again with a new cluster. Raise `prepare.timeout` where the line needs longer.',
  { evidence: lines, details: { ...details, ...endDetails('PREPARE_TIMED_OUT') } },
]);
export const clusterTestFailed = problem.product((step: string, code: number, lines: Lines, details: JsonObject) => [
  'TEST_FAILED',
  `${step} ended with status ${code}`,
  `\`slipway logs ${step}\` shows all of its output. Correct the product or the test, then start the run again.`,
  { evidence: lines, details: { ...details, ...endDetails('TEST_FAILED'), status: code, exitCode: code, of: 'test' } },
]);
export const clusterTestTimedOut = problem.product(
  (step: string, limitMs: number, lines: Lines, details: JsonObject) => [
    'TEST_TIMED_OUT',
    `${step} was still running after ${seconds(limitMs)}`,
    'See in the last lines what it waits for. Raise `timeout`, or write `long: true` where the end of the limit is no failure.',
    { evidence: lines, details: { ...details, ...endDetails('TEST_TIMED_OUT') } },
  ],
);
export const clusterGone = problem.infra((step: string, lines: Lines, details: JsonObject) => [
  'CLUSTER_GONE',
  `the head of the cluster of ${step} ended while the test ran`,
  'The step tries again with a new cluster. Look for an out-of-memory kill in the kernel log of the machine.',
  { evidence: lines, details: { ...details, ...endDetails('CLUSTER_GONE') } },
]);
export const clusterResultAbsent = problem.product(
  (step: string, result: string, lines: Lines, details: JsonObject) => [
    'RESULT_ABSENT',
    `${step} ended and left no file at $TEST_OUTPUT_JSON, which is its result ${result}`,
    'Let the test write that file, or take `result` and `alerts` away.',
    { evidence: lines, details: { ...details, ...endDetails('RESULT_ABSENT') } },
  ],
);
export const resultNotJson = problem.product((step: string, result: string, why: string, details: JsonObject) => [
  'RESULT_NOT_JSON',
  `the result ${result} of ${step} is not JSON: ${why}`,
  'Write JSON to $TEST_OUTPUT_JSON. NaN and Infinity are no JSON: write null, or leave the value out.',
  { details: { ...details, ...endDetails('RESULT_NOT_JSON') } },
]);
export const resultTooBig = problem.product(
  (step: string, result: string, bytes: number, most: number, details: JsonObject) => [
    'RESULT_TOO_BIG',
    `the result ${result} of ${step} has ${bytes} bytes; at most ${most} are read`,
    'Write a summary to $TEST_OUTPUT_JSON, and name the large file as `artifact`.',
    { details: { ...details, ...endDetails('RESULT_TOO_BIG') } },
  ],
);
export const resultNotFetched = problem.infra((step: string, why: string, details: JsonObject) => [
  'RESULT_NOT_FETCHED',
  `the results of ${step} could not be copied from the head: ${why}`,
  'The step tries again with a new cluster. Try the line `get` of the cluster by hand.',
  { details: { ...details, ...endDetails('RESULT_NOT_FETCHED') } },
]);
export const alertTripped = problem.product((step: string, alerts: Lines, details: JsonObject) => [
  'ALERT',
  `${step} ended well, and its result is out of bounds: ${alerts.join('; ')}`,
  `Compare with results of earlier runs. Correct the product, or the bounds under \`alerts:\`.`,
  { details: { ...details, ...endDetails('ALERT'), alerts } },
]);
export const clusterNotRemoved = problem.infra((cluster: string, left: Lines) => [
  'CLUSTER_NOT_REMOVED',
  `not all of the cluster ${cluster} is removed: ${left.join('; ')}`,
  `Correct the line \`down\`, or stop those jobs in the dashboard. The step tries again as \`retry.infra\` says; \`slipway retry clusters/${cluster}\` tries at once.`,
  { details: { left } },
]);
export const workingFolderAbsent = problem.config((step: string, folder: string) => [
  'WORKING_FOLDER_MISSING',
  `the source of ${step} has no folder ${folder}`,
  'Correct `folder`: it is relative to the top of the source.',
  { details: endDetails('WORKING_FOLDER_MISSING') },
]);
