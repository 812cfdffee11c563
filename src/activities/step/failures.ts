import { type Problem, SlipwayFailure } from '../../model/failure.js';
import type { Json, JsonObject } from '../../model/json.js';
import { diskFullHere, unexpected } from './errors.js';
import type { StepLog } from './ports.js';

const EVIDENCE_LINES = 20;
const STACK_LINES = 6;
const FULL = ['ENOSPC', 'EDQUOT'];

/** Whatever was thrown, in our words: what an operator needs, without secrets. */
export function problemsOf(error: unknown, log: StepLog | null, root: string): readonly Problem[] {
  const problems = error instanceof SlipwayFailure ? error.problems : [classify(error, root)];
  const scrub = (text: string): string => log?.scrub(text) ?? text;
  return problems.map((problem, index) => ({
    ...problem,
    message: scrub(problem.message),
    next: scrub(problem.next),
    ...(problem.details && { details: scrubbed(problem.details, scrub) as JsonObject }),
    evidence: (problem.evidence ?? (index === 0 ? (log?.tail(EVIDENCE_LINES) ?? []) : [])).filter(isPrinted).map(scrub),
  }));
}

/** Every text of a value, keys too. */
export function scrubbed(value: Json | undefined, scrub: (text: string) => string): Json {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((one: Json) => scrubbed(one, scrub));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[scrub(key), scrubbed(one, scrub)]])),
  );
}

/** Evidence is what programs printed; our own notes in the log say nothing that the problem does not. */
const isPrinted = (line: string): boolean => !line.startsWith('slipway: ');

function classify(error: unknown, root: string): Problem {
  if (!(error instanceof Error)) return unexpected(String(error), []);
  if (FULL.includes((error as NodeJS.ErrnoException).code ?? '')) return diskFullHere(error.message);
  const stack = (error.stack ?? '').split('\n').slice(1, STACK_LINES);
  return unexpected(
    `${error.name}: ${error.message.split('\n')[0]}`,
    stack.map((line) => line.trim().replaceAll(root, '…')),
  );
}
