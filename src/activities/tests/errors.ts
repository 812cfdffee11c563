import type { Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';

type Lines = readonly string[];

export const testFailed = (step: string, code: number, lines: Lines, details: JsonObject): Problem => ({
  code: 'TEST_FAILED',
  class: 'product',
  message: `${step} ended with status ${code}`,
  next:
    missingModule(lines) ??
    `\`slipway logs ${step}\` shows all of its output; fix the product or the test, then run the release again.`,
  evidence: lines,
  details: { ...details, of: 'test' },
});

/** Explains a missing Python module, or returns null. Wheels are installed without their dependencies: a test's
 * environment comes from locks alone. */
function missingModule(lines: Lines): string | null {
  const module = /ModuleNotFoundError: No module named '([\w.]+)'/.exec(lines.join('\n'))?.[1];
  if (module === undefined) return null;
  return `The test's environment holds the wheels and locks it needs, and nothing else. If ${module} is a requirement, add its project to \`requires\` of a lock in \`deps\` and name the lock in the test's \`needs\`; if it is of the product, the wheel lacks it.`;
}

export const testTimedOut = (step: string, limitMs: number, lines: Lines, details: JsonObject): Problem => ({
  code: 'TEST_TIMED_OUT',
  class: 'product',
  message: `${step} was still running after ${Math.round(limitMs / 1000)} s`,
  next: 'See what it waits for in the last lines; a test that needs longer says so with `timeout:`.',
  evidence: lines,
  details,
});

export const expectedLineAbsent = (step: string, expected: string, lines: Lines, details: JsonObject): Problem => ({
  code: 'EXPECTED_LINE_ABSENT',
  class: 'product',
  message: `${step} ended with status 0 and never printed the line ${JSON.stringify(expected)}${longer(expected, lines)}`,
  next: `\`slipway logs ${step}\` shows what it printed; a pass is the expected line, not the exit status alone.`,
  evidence: lines,
  details,
});

/** `expect` is a whole line, so a longer line that contains it is the likeliest mistake. */
function longer(expected: string, lines: Lines): string {
  const near = lines.find((line) => line.includes(expected) && line.length <= 200);
  return near === undefined ? '' : `; it printed ${JSON.stringify(near.trim())}, and \`expect\` is a whole line`;
}

export const resultAbsent = (step: string, result: string, lines: Lines, details: JsonObject): Problem => ({
  code: 'RESULT_ABSENT',
  class: 'product',
  message: `${step} ended with status 0 and left no file ${result}`,
  next: 'Write the file into the working folder, which is also $OUT, or leave `result:` out.',
  evidence: lines,
  details,
});

export const imageUnclear = (step: string, count: number): Problem => ({
  code: 'TEST_IMAGE_UNCLEAR',
  class: 'config',
  message: `${step} runs in an image, and ${count} images are among what it needs`,
  next: 'Name exactly one image under `needs:`, for example `images/NAME[python=cp311]`.',
});

export const noEngineHere = (step: string): Problem => ({
  code: 'NO_ENGINE_HERE',
  class: 'config',
  message: `${step} runs in a container, and this worker has no Docker engine`,
  next: '`slipway up` starts one on this machine; or let another queue serve the step with `on:`.',
});

export const nothingToTest = (step: string, kind: string): Problem => ({
  code: 'NOTHING_TO_TEST',
  class: 'config',
  message: `${step} has no ${kind} among what it needs`,
  next: `Name what it tests under \`needs:\`; a ${kind} of another variant is taken with \`a/b[axis=value]\`.`,
});

export const pythonUnclear = (step: string): Problem => ({
  code: 'TEST_PYTHON_UNCLEAR',
  class: 'config',
  message: `${step} runs in a venv, and neither its variant nor what it needs says for which Python`,
  next: 'Name one with `matrix: { python: [cp312] }`, or let it need a wheel of one Python.',
});

export const testCancelled = (step: string): Problem => ({
  code: 'CANCELLED',
  class: 'cancelled',
  message: `${step} was ended because the run was asked to stop`,
  next: 'Start the release again to go on: finished steps are kept.',
});
