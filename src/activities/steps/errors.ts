import type { Problem } from '../../model/failure.js';

type Lines = readonly string[];

export const commandMissing = (step: string): Problem => ({
  code: 'STEP_COMMAND_MISSING',
  class: 'config',
  message: `${step} has no command to run`,
  next: 'Write `run:` under it in the release file.',
});

export const commandFailed = (step: string, code: number, lines: Lines): Problem => ({
  code: 'STEP_COMMAND_FAILED',
  class: 'product',
  message: `the command of ${step} ended with status ${code}`,
  next: `\`slipway logs ${step}\` shows all of its output; fix the command, then run the release again.`,
  evidence: lines,
  details: { exitCode: code },
});

export const commandTimedOut = (step: string, limitMs: number, lines: Lines): Problem => ({
  code: 'STEP_COMMAND_TIMED_OUT',
  class: 'product',
  message: `the command of ${step} was still running after ${Math.round(limitMs / 1000)} s`,
  next: 'See what it waits for in the last lines; a command that needs longer says so with `timeout:`.',
  evidence: lines,
});

export const commandExpectedLineAbsent = (step: string, expected: string, lines: Lines): Problem => ({
  code: 'STEP_EXPECTED_LINE_ABSENT',
  class: 'product',
  message: `the command of ${step} ended with status 0 and never printed the line ${JSON.stringify(expected)}`,
  next: `\`slipway logs ${step}\` shows what it printed.`,
  evidence: lines,
});

export const outputAbsent = (step: string, glob: string): Problem => ({
  code: 'OUTPUT_ABSENT',
  class: 'product',
  message: `${step} left no file that matches ${glob}`,
  next: 'Patterns under `outputs:` are relative to the working folder, or begin with `{out}/`; `**` matches any folders.',
});

export const treeNotFetched = (step: string, source: string): Problem => ({
  code: 'TREE_NOT_FETCHED',
  class: 'config',
  message: `${step} cleans up in the source tree, and ${source} fetched none: its command did not run`,
  next: `\`slipway why ${source}\` says why; then \`slipway retry --from ${source}\`, or clean up by hand.`,
});

export const containerBaseUnknown = (step: string, base: string): Problem => ({
  code: 'CONTAINER_BASE_UNKNOWN',
  class: 'bug',
  message: `${step} runs in a container of ${base}, and no result of that step holds an image`,
  next: '`slipway plan --json` shows the edges of the step; report it together with the release file.',
});
