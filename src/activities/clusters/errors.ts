import type { Problem } from '../../model/failure.js';
import type { ClusterTestParams } from '../../model/tests/cluster.js';
import { endDetails } from '../../model/tests/ends.js';
import type { JsonObject } from '../../model/json.js';

type Lines = readonly string[];

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

export const rayAbsent = (step: string): Problem => ({
  code: 'CLUSTER_REFUSED',
  class: 'config',
  message: `the environment of ${step} has no program ray: neither its wheels nor its locks hold Ray`,
  next: 'Write an entry of `deps:` whose `requires` has ray[default], and name it under `needs:`.',
  details: endDetails('CLUSTER_REFUSED'),
});

/** @param fault why the nodes cannot be counted. Null if they can */
export const nodesMissing = (
  step: string,
  seen: number,
  wait: ClusterTestParams['wait'],
  fault: string | null,
): Problem => ({
  code: 'NODES_MISSING',
  class: 'infra',
  message: `${step} waited ${seconds(wait.forMs)} for ${wait.nodes} nodes, and ${seen} were alive`,
  next: 'The step tries again with a new cluster as `retry.infra` says. Look for the nodes that did not start in `slipway logs STEP`, or raise `wait.for`.',
  ...(fault !== null && { evidence: [fault] }),
  details: { ...endDetails('NODES_MISSING'), seen, wanted: wait.nodes },
});

export const prepareFailed = (step: string, code: number, lines: Lines, details: JsonObject): Problem => ({
  code: 'PREPARE_FAILED',
  class: 'product',
  message: `the line \`prepare\` of ${step} ended with status ${code}, so the test did not start`,
  next: `\`slipway logs ${step}\` shows its output. Correct \`prepare.run\`, then start the run again.`,
  evidence: lines,
  details: { ...details, ...endDetails('PREPARE_FAILED'), status: code },
});

export const prepareTimedOut = (step: string, limitMs: number, lines: Lines, details: JsonObject): Problem => ({
  code: 'PREPARE_TIMED_OUT',
  class: 'infra',
  message: `the line \`prepare\` of ${step} was still running after ${seconds(limitMs)}`,
  next: 'The step tries again with a new cluster. Raise `prepare.timeout` where the line needs longer.',
  evidence: lines,
  details: { ...details, ...endDetails('PREPARE_TIMED_OUT') },
});

export const clusterTestFailed = (step: string, code: number, lines: Lines, details: JsonObject): Problem => ({
  code: 'TEST_FAILED',
  class: 'product',
  message: `${step} ended with status ${code}`,
  next: `\`slipway logs ${step}\` shows all of its output. Correct the product or the test, then start the run again.`,
  evidence: lines,
  details: { ...details, ...endDetails('TEST_FAILED'), status: code, exitCode: code, of: 'test' },
});

export const clusterTestTimedOut = (step: string, limitMs: number, lines: Lines, details: JsonObject): Problem => ({
  code: 'TEST_TIMED_OUT',
  class: 'product',
  message: `${step} was still running after ${seconds(limitMs)}`,
  next: 'See in the last lines what it waits for. Raise `timeout`, or write `long: true` where the end of the limit is no failure.',
  evidence: lines,
  details: { ...details, ...endDetails('TEST_TIMED_OUT') },
});

export const clusterGone = (step: string, lines: Lines, details: JsonObject): Problem => ({
  code: 'CLUSTER_GONE',
  class: 'infra',
  message: `the head of the cluster of ${step} ended while the test ran`,
  next: 'The step tries again with a new cluster. Look for an out-of-memory kill in the kernel log of the machine.',
  evidence: lines,
  details: { ...details, ...endDetails('CLUSTER_GONE') },
});

export const clusterResultAbsent = (step: string, result: string, lines: Lines, details: JsonObject): Problem => ({
  code: 'RESULT_ABSENT',
  class: 'product',
  message: `${step} ended and left no file at $TEST_OUTPUT_JSON, which is its result ${result}`,
  next: 'Let the test write that file, or take `result` and `alerts` away.',
  evidence: lines,
  details: { ...details, ...endDetails('RESULT_ABSENT') },
});

export const resultNotJson = (step: string, result: string, why: string, details: JsonObject): Problem => ({
  code: 'RESULT_NOT_JSON',
  class: 'product',
  message: `the result ${result} of ${step} is not JSON: ${why}`,
  next: 'Write JSON to $TEST_OUTPUT_JSON. NaN and Infinity are no JSON: write null, or leave the value out.',
  details: { ...details, ...endDetails('RESULT_NOT_JSON') },
});

export const resultTooBig = (
  step: string,
  result: string,
  bytes: number,
  most: number,
  details: JsonObject,
): Problem => ({
  code: 'RESULT_TOO_BIG',
  class: 'product',
  message: `the result ${result} of ${step} has ${bytes} bytes; at most ${most} are read`,
  next: 'Write a summary to $TEST_OUTPUT_JSON, and name the large file as `artifact`.',
  details: { ...details, ...endDetails('RESULT_TOO_BIG') },
});

export const resultNotFetched = (step: string, why: string, details: JsonObject): Problem => ({
  code: 'RESULT_NOT_FETCHED',
  class: 'infra',
  message: `the results of ${step} could not be copied from the head: ${why}`,
  next: 'The step tries again with a new cluster. Try the line `get` of the cluster by hand.',
  details: { ...details, ...endDetails('RESULT_NOT_FETCHED') },
});

export const alertTripped = (step: string, alerts: Lines, details: JsonObject): Problem => ({
  code: 'ALERT',
  class: 'product',
  message: `${step} ended well, and its result is out of bounds: ${alerts.join('; ')}`,
  next: `Compare with results of earlier runs. Correct the product, or the bounds under \`alerts:\`.`,
  details: { ...details, ...endDetails('ALERT'), alerts },
});

export const clusterNotRemoved = (cluster: string, left: Lines): Problem => ({
  code: 'CLUSTER_NOT_REMOVED',
  class: 'infra',
  message: `not all of the cluster ${cluster} is removed: ${left.join('; ')}`,
  next: `Correct the line \`down\`, or stop those jobs in the dashboard. The step tries again as \`retry.infra\` says; \`slipway retry clusters/${cluster}\` tries at once.`,
  details: { left },
});

export const workingFolderAbsent = (step: string, folder: string): Problem => ({
  code: 'WORKING_FOLDER_MISSING',
  class: 'config',
  message: `the source of ${step} has no folder ${folder}`,
  next: 'Correct `folder`: it is relative to the top of the source.',
  details: endDetails('WORKING_FOLDER_MISSING'),
});
