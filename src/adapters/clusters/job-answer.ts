import { isObject } from '../../model/check.js';
import { jsonIn } from '../../model/json.js';

const STATES = ['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED'] as const;

export interface JobAnswer {
  readonly status: (typeof STATES)[number];
  readonly message?: string | null;
  readonly driver_exit_code?: number | null;
  readonly driver_node_id?: string | null;
}

/** Reads what a server says of a job. Null unless it is what Ray says. */
export function jobIn(text: string): JobAnswer | null {
  const said = jsonIn(text);
  return isJob(said) ? said : null;
}

function isJob(said: unknown): said is JobAnswer {
  if (!isObject(said)) return false;
  const { status, message, driver_exit_code: code, driver_node_id: node } = said;
  const isState = STATES.some((state) => state === status);
  return isState && isTextOrNone(message) && isTextOrNone(node) && (isNone(code) || Number.isSafeInteger(code));
}

const isNone = (value: unknown): boolean => value === undefined || value === null;
const isTextOrNone = (value: unknown): boolean => isNone(value) || typeof value === 'string';
