import { problem } from '../../../model/problem.js';
import type { Problem } from '../../../model/failure.js';

export const pipFailed = problem.config((fault: string | null, words: readonly string[]) => [
  'PIP_FAILED',
  `pip ended without an answer: ${fault ?? 'it printed none'}`,
  'Read the lines below. `pip config debug` lists the files of its settings; correct the one that is named.',
  { evidence: words },
]);
export const noIndex = problem.config(() => [
  'INDEX_NONE',
  'pip is configured for no index, so nothing says what is upstream',
  'Remove no-index from the settings of pip: `pip config list` shows them, with PIP_NO_INDEX of the environment.',
]);

/** @param why without addresses */
export const indexSilent = (projects: number, why: readonly string[]): Problem =>
  why.every((one) => /HTTP 40[13]/.test(one))
    ? {
        code: 'INDEX_DENIED',
        class: 'denied',
        message: `the Python index refuses all of ${projects} projects`,
        next: 'Put user and password of the index into ~/.netrc, a keyring or the settings of pip: `pip config list` shows them.',
        evidence: why,
      }
    : {
        code: 'INDEX_UNREACHABLE',
        class: 'infra',
        service: 'python-index',
        message: `the Python index gave no answer for any of ${projects} projects`,
        next: 'Check the network, and `pip config list` for the index that is configured here. Then plan again.',
        evidence: why,
      };
