import { type Digest, isDigest } from './digest.js';
import type { Problem } from './failure.js';
import type { Finding } from './finding.js';
import type { RunId, StepId } from './ids.js';

/** Workflow that is the only writer of the pages of one static index. Its id is made from the target's address. */
export const INDEX_WORKFLOW = 'index';
/** Update of that workflow, with a list of requests: draws pages, and answers each request when readers see them. */
export const LIST = 'list';
/** Type of the refusal of a writer that is about to continue as new. The request is sent again. */
export const RENEWING = 'INDEX_RENEWS';

/** A request to a writer: to list wheels, or to carry out an order to prune. */
export type IndexRequest = ListRequest | PruneRequest;

/** Asks for a prune. */
export interface PruneRequest {
  /** Record with the `PruneOrder`. A writer obeys only a record that the home's control key signed. */
  readonly prune: string;
}

export const isPrune = (request: IndexRequest): request is PruneRequest => 'prune' in request;

/** Asks for pages of wheels whose entries exist. */
export interface ListRequest {
  /** The signed plan that names the target. A writer takes addresses and secrets from nowhere else. */
  readonly plan: Digest;
  /** The publish step. */
  readonly step: StepId;
  readonly run: RunId;
  /** `PLATFORM/PROJECT`, at least one unless the run ended. */
  readonly names: readonly string[];
  /** The run ended: the index stores what it wanted, and draws its status. */
  readonly ended?: true;
  /** Digests of wheels that are put back from the store before pages are drawn, if the index lacks them. Absent: none. */
  readonly restore?: readonly Digest[];
}

/** A wheel of a lost index. */
export interface Restored {
  readonly platform: string;
  readonly file: string;
  /** `differs`: the name has other bytes. `lost`: the store has no sound copy. */
  readonly state: 'there' | 'restored' | 'differs' | 'lost';
  /** Null if the index has its digest. */
  readonly why: string | null;
}

export interface ListAnswer {
  /** About damaged records and absent files of these projects. */
  readonly findings: readonly Finding[];
  /** Present if the request restores. */
  readonly restored?: readonly Restored[];
}

/** The answer to one request. A refused request does not keep others of its batch from their pages. */
export type ListOutcome = ListAnswer | { readonly problems: readonly Problem[] };

/** Activity: draws the pages of several requests at once. Answers in their order. */
export type WritePages = (input: {
  readonly requests: readonly IndexRequest[];
}) => Promise<{ readonly outcomes: readonly ListOutcome[] }>;

/** Most names of one request. More are asked for in several requests. */
export const MOST_NAMES = 2000;
/** Most requests of one update, and of one batch. It keeps payloads far below the server's limit. */
export const MOST_REQUESTS = 500;

/** Most wheels that one request restores. */
export const MOST_RESTORED = 200;

/** Neither part begins with a dot: the name becomes a path. A project is a normal name, in any script. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*\/[\p{L}\p{N}-]+$/u;

/** Returns why a payload is no list of requests. Null if it is one. Anyone who reaches Temporal can send one. */
export function requestsFault(payload: unknown): string | null {
  if (!Array.isArray(payload) || payload.length === 0) return 'it is no list of requests';
  if (payload.length > MOST_REQUESTS) return `it has ${payload.length} requests, more than ${MOST_REQUESTS}`;
  return payload.map(requestFault).find((fault) => fault !== null) ?? null;
}

const ORDER = /^prunes\/[A-Za-z0-9._%/-]+\/\d{6}$/;

function requestFault(payload: unknown): string | null {
  const { prune } = (payload ?? {}) as { readonly prune?: unknown };
  if (prune === undefined) return listFault(payload);
  const isName = typeof prune === 'string' && prune.length < 500 && ORDER.test(prune) && !prune.includes('..');
  return isName ? null : '"prune" names no order';
}

function listFault(payload: unknown): string | null {
  const {
    plan,
    step,
    run,
    names,
    ended,
    restore = [],
  } = (payload ?? {}) as Partial<Record<keyof ListRequest, unknown>>;
  const absent = Object.entries({ plan, step, run }).find(([, value]) => typeof value !== 'string' || value === '');
  if (absent !== undefined) return `"${absent[0]}" is no text`;
  if (ended !== undefined && ended !== true) return '"ended" is not true';
  if (!Array.isArray(names) || (names.length === 0 && !ended)) return '"names" is no list of names';
  if (names.length > MOST_NAMES) return `"names" has ${names.length} names, more than ${MOST_NAMES}`;
  if (!Array.isArray(restore) || restore.length > MOST_RESTORED || !restore.every(isDigest))
    return `"restore" is no list of at most ${MOST_RESTORED} digests`;
  const wrong = names.find((name) => typeof name !== 'string' || name.length > 300 || !NAME.test(name));
  return wrong === undefined ? null : `${JSON.stringify(wrong).slice(0, 100)} is no PLATFORM/PROJECT`;
}
