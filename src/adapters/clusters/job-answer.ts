import { maybe, oneOf, orNull, shape, text, whole } from '../../model/check.js';
import { jsonIn } from '../../model/json.js';

const STATES = ['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED'] as const;

export interface JobAnswer {
  readonly status: (typeof STATES)[number];
  readonly message?: string | null;
  readonly driver_exit_code?: number | null;
  readonly driver_node_id?: string | null;
}

const checkJob = shape({
  status: oneOf(...STATES),
  message: maybe(orNull(text(Infinity))),
  driver_exit_code: maybe(orNull(whole(Number.MIN_SAFE_INTEGER))),
  driver_node_id: maybe(orNull(text(Infinity))),
});

/** Reads what a server says of a job. Null unless it is what Ray says. */
export function jobIn(said: string): JobAnswer | null {
  const job = jsonIn(said);
  return checkJob(job) === null ? (job as JobAnswer) : null;
}
