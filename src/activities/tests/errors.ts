import { problem } from '../../model/problem.js';
import type { JsonObject } from '../../model/json.js';

type Lines = readonly string[];

export const testFailed = problem.product((step: string, code: number, lines: Lines, details: JsonObject) => [
  'TEST_FAILED',
  `${step} ended with status ${code}`,
  missingModule(lines) ??
    `\`slipway logs ${step}\` shows all of its output; fix the product or the test, then run the release again.`,
  { evidence: lines, details: { ...details, of: 'test' } },
]);

/** Explains a missing Python module, or returns null. Wheels are installed without their dependencies: a test's
 * environment comes from locks alone. */
function missingModule(lines: Lines): string | null {
  const module = /ModuleNotFoundError: No module named '([\w.]+)'/.exec(lines.join('\n'))?.[1];
  if (module === undefined) return null;
  return `The test's environment holds the wheels and locks it needs, and nothing else. If ${module} is a requirement, add its project to \`requires\` of a lock in \`deps\` and name the lock in the test's \`needs\`; if it is of the product, the wheel lacks it.`;
}

export const testTimedOut = problem.product((step: string, limitMs: number, lines: Lines, details: JsonObject) => [
  'TEST_TIMED_OUT',
  `${step} was still running after ${Math.round(limitMs / 1000)} s`,
  'See what it waits for in the last lines; a test that needs longer says so with `timeout:`.',
  { evidence: lines, details },
]);
export const expectedLineAbsent = problem.product(
  (step: string, expected: string, lines: Lines, details: JsonObject) => [
    'EXPECTED_LINE_ABSENT',
    `${step} ended with status 0 and never printed the line ${JSON.stringify(expected)}${longer(expected, lines)}`,
    `\`slipway logs ${step}\` shows what it printed; a pass is the expected line, not the exit status alone.`,
    { evidence: lines, details },
  ],
);

/** `expect` is a whole line, so a longer line that contains it is the likeliest mistake. */
function longer(expected: string, lines: Lines): string {
  const near = lines.find((line) => line.includes(expected) && line.length <= 200);
  return near === undefined ? '' : `; it printed ${JSON.stringify(near.trim())}, and \`expect\` is a whole line`;
}

export const resultAbsent = problem.product((step: string, result: string, lines: Lines, details: JsonObject) => [
  'RESULT_ABSENT',
  `${step} ended with status 0 and left no file ${result}`,
  'Write the file into the working folder, which is also $OUT, or leave `result:` out.',
  { evidence: lines, details },
]);
export const testTreeAbsent = problem.config((step: string, paths: readonly string[]) => [
  'TEST_TREE_ABSENT',
  `${step} names ${paths.join(', ')} under tree, which is no file or folder of the source`,
  'Name paths of the commit, or of the sdist among its needs; a link is not followed, so name what it leads to.',
]);
export const imageUnclear = problem.config((step: string, count: number) => [
  'TEST_IMAGE_UNCLEAR',
  `${step} runs in an image, and ${count} images are among what it needs`,
  'Name exactly one image under `needs:`, for example `images/NAME[python=cp311]`.',
]);
export const noEngineHere = problem.config((step: string) => [
  'NO_ENGINE_HERE',
  `${step} runs in a container, and this worker has no Docker engine`,
  '`slipway up` starts one on this machine; or let another queue serve the step with `on:`.',
]);
export const nothingToTest = problem.config((step: string, kind: string) => [
  'NOTHING_TO_TEST',
  `${step} has no ${kind} among what it needs`,
  `Name what it tests under \`needs:\`; a ${kind} of another variant is taken with \`a/b[axis=value]\`.`,
]);
export const pythonUnclear = problem.config((step: string) => [
  'TEST_PYTHON_UNCLEAR',
  `${step} runs in a venv, and neither its variant nor what it needs says for which Python`,
  'Name one with `matrix: { python: [cp312] }`, or let it need a wheel of one Python.',
]);
export const testCancelled = problem.cancelled((step: string) => [
  'CANCELLED',
  `${step} was ended because the run was asked to stop`,
  'Start the release again to go on: finished steps are kept.',
]);
