import { problem } from '../../model/problem.js';
import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';

export const programMissing = problem.config((program: string, path: string | undefined) => [
  'PROGRAM_MISSING',
  `${program} is not on this worker's PATH`,
  `Install ${program} on this machine, or run the step on a queue that has it; \`slipway doctor\` lists what is there.`,
  { evidence: [`PATH=${path ?? ''}`] },
]);

export const programRefused = (program: string, errno: string): Problem => ({
  code: 'PROGRAM_REFUSED',
  class: classify({ of: 'start', errno }).class,
  message: `${program} could not be started: ${errno}`,
  next: 'EACCES: make the file executable. E2BIG: shorten the command line. EAGAIN or ENOMEM: the machine is short of processes or memory. ENOSPC: the disk of the home folder is full.',
});

export const folderMissing = problem.config((cwd: string) => [
  'WORKING_FOLDER_MISSING',
  `the working folder ${cwd} does not exist`,
  'Correct `folder` in the release file: it is relative to the source tree.',
]);
export const runnerLost = problem.lost((program: string) => [
  'RUNNER_LOST',
  `the process that supervised ${program} died, so the program was ended`,
  'The step retries up to 5 times, apart from its other retries. Look for an out-of-memory kill in the kernel log; give the step less to do at once, or a machine with more memory.',
]);
