import { problem } from '../../model/problem.js';

type Lines = readonly string[];

export const commandMissing = problem.config((step: string) => [
  'STEP_COMMAND_MISSING',
  `${step} has no command to run`,
  'Write `run:` under it in the release file.',
]);
export const commandFailed = problem.product((step: string, code: number, lines: Lines) => [
  'STEP_COMMAND_FAILED',
  `the command of ${step} ended with status ${code}`,
  `\`slipway logs ${step}\` shows all of its output; fix the command, then run the release again.`,
  { evidence: lines, details: { exitCode: code } },
]);
export const commandTimedOut = problem.product((step: string, limitMs: number, lines: Lines) => [
  'STEP_COMMAND_TIMED_OUT',
  `the command of ${step} was still running after ${Math.round(limitMs / 1000)} s`,
  'See what it waits for in the last lines; a command that needs longer says so with `timeout:`.',
  { evidence: lines },
]);
export const commandExpectedLineAbsent = problem.product((step: string, expected: string, lines: Lines) => [
  'STEP_EXPECTED_LINE_ABSENT',
  `the command of ${step} ended with status 0 and never printed the line ${JSON.stringify(expected)}`,
  `\`slipway logs ${step}\` shows what it printed.`,
  { evidence: lines },
]);
export const outputAbsent = problem.product((step: string, glob: string) => [
  'OUTPUT_ABSENT',
  `${step} left no file that matches ${glob}`,
  'Patterns under `outputs:` are relative to the working folder, or begin with `{out}/`; `**` matches any folders.',
]);
export const treeNotFetched = problem.config((step: string, source: string) => [
  'TREE_NOT_FETCHED',
  `${step} cleans up in the source tree, and ${source} fetched none: its command did not run`,
  `\`slipway why ${source}\` says why; then \`slipway retry --from ${source}\`, or clean up by hand.`,
]);
export const containerBaseUnknown = problem.bug((step: string, base: string) => [
  'CONTAINER_BASE_UNKNOWN',
  `${step} runs in a container of ${base}, and no result of that step holds an image`,
  '`slipway plan --json` shows the edges of the step; report it together with the release file.',
]);
