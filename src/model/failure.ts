import type { JsonObject } from './json.js';
import type { Service } from './outage.js';

/** Cause of a failure. The class decides what follows. A named service and two codes of lost workers take precedence. */
export const FAILURE_CLASSES = {
  product: {
    means: 'the product is wrong: a compiler error, a failed assertion, a non-zero exit of its command',
    answer: 'the step holds',
  },
  infra: {
    means: 'the environment fails for now: a registry answers 503, the Docker daemon is down, the disk is full',
    answer:
      'tried again with growing waits, 5 times (a proof 3 times, a test on a cluster once after 30 to 90 minutes); then the step holds',
  },
  lost: {
    means: 'the worker died or went silent',
    answer: 'tried again at once, 3 times, and each time by Temporal on up to 5 workers; then the step holds',
  },
  config: { means: 'a value in the release file, the profile or the environment is wrong', answer: 'the step holds' },
  denied: {
    means: 'a credential was refused',
    answer: 'the step holds; fix the credential, then type `slipway retry`',
  },
  conflict: {
    means: 'a target holds other bytes under our name',
    answer: 'the step holds, and nothing more is published',
  },
  cancelled: { means: 'a person or Temporal asked to cancel', answer: 'clean-up steps run, then the run ends' },
  bug: { means: 'an error that Slipway does not know', answer: 'the step holds; it is never retried by itself' },
} as const;
export type FailureClass = keyof typeof FAILURE_CLASSES;

/** A place in a file. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}
/** `release/tests.yaml:12`. */
export const placed = ({ file, line }: SourceLocation): string => (line === undefined ? file : `${file}:${line}`);

/** An error for people: what happened, why, and the next command to type. */
export interface Problem {
  /** UPPER_SNAKE, stable, listed in docs/reference/errors.md. */
  readonly code: string;
  readonly class: FailureClass;
  /** One sentence with the offending value. No stack trace. */
  readonly message: string;
  /** One imperative with a key or command. */
  readonly next: string;
  /** Service that failed, for the class `infra`. All steps that need it wait together. */
  readonly service?: Service;
  readonly place?: SourceLocation;
  /** Path inside the release file: `wheels.skiff.platforms`. */
  readonly path?: string;
  /** First lines of output in which a tool reported an error (`ERROR_LINES`). No secrets. */
  readonly firstError?: readonly string[];
  /** Last lines of output, exit status and the like. No secrets. */
  readonly evidence?: readonly string[];
  readonly details?: JsonObject;
}

/** Ends a text that has no end yet: a problem may end with "did you mean …?". */
export const sentence = (text: string): string => (/[.?!…]$/.test(text) ? text : `${text}.`);
/** `CODE: MESSAGE. NEXT`. */
export const problemText = ({ code, message, next }: Problem): string => `${code}: ${sentence(message)} ${next}`;

/** The only error that our rooms throw on purpose. It carries all problems, not only the first. */
export class SlipwayFailure extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: Problem | readonly Problem[], options?: { cause?: unknown }) {
    const all = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    super(all.map((problem) => `${problem.code}: ${problem.message}`).join('\n'), options);
    this.name = 'SlipwayFailure';
    this.problems = all;
  }

  get first(): Problem {
    return this.problems[0]!;
  }
}

/** True for a failure of a service that others need too: steps wait until it answers. */
export const isOutage = (error: unknown): boolean =>
  error instanceof SlipwayFailure && error.first.service !== undefined;

/** Use: `throw fail({ code: …, class: …, message: …, next: … })`. */
export const fail = (problems: Problem | readonly Problem[], cause?: unknown): SlipwayFailure =>
  new SlipwayFailure(problems, { cause });
