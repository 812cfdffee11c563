import type { Digest } from './digest.js';
import type { Target } from './target.js';

/** `prune.TARGET` of a release file. */
export interface PruneRules {
  /** A wheel that was fetched or published within this time stays. */
  readonly unusedMs: number;
  /** Time between the removal from pages and the removal of the bytes. */
  readonly graceMs: number;
  /** Wheels of a platform stay for this time after its `until`. */
  readonly pastMs: number;
}

export const PRUNE_REASONS = ['platform ended', 'broken', 'superseded', 'upstream has it now', 'nobody asks'] as const;
export type PruneReason = (typeof PRUNE_REASONS)[number];

/** A wheel that nothing needs. */
export interface PruneCandidate {
  readonly platform: string;
  readonly file: string;
  readonly digest: Digest;
  readonly size: number;
  readonly reason: PruneReason;
  /** Details of the reason: a day, a file. */
  readonly because: string;
  /** Time of the last GET, ISO 8601. Null: the access logs that were read have none. */
  readonly lastFetched: string | null;
}

/** Review of a prune: the wheels that it would remove. A person approves its digest. */
export interface PruneReview {
  readonly slipway: 1;
  readonly kind: 'prune review';
  readonly pipeline: string;
  readonly profile: string;
  /** Name of the target. */
  readonly target: string;
  /** ISO 8601. */
  readonly at: string;
  readonly rules: PruneRules;
  /** Sorted by platform and file. */
  readonly candidates: readonly PruneCandidate[];
  /** Candidates that are left to the next review. */
  readonly more: number;
}

export interface PrunedFile {
  readonly platform: string;
  readonly file: string;
  readonly digest: Digest;
}

/** An order to the index's writer, signed by the home's control key. The record is also the audit of the prune. */
export interface PruneOrder {
  readonly slipway: 1;
  readonly kind: 'prune order';
  /** ISO 8601. The writer refuses an order that is older than an hour. */
  readonly at: string;
  readonly by: string;
  readonly because: string | null;
  readonly review: Digest;
  readonly release: { readonly name: string; readonly version: string };
  readonly profile: { readonly name: string; readonly rehearsal: boolean };
  readonly target: Target;
  readonly graceMs: number;
  /** Platforms whose expired bytes are removed besides. */
  readonly platforms: readonly string[];
  readonly remove: readonly PrunedFile[];
  /** Candidates of the review that stay, with the reason. */
  readonly stay: readonly { readonly file: string; readonly because: string }[];
}

/** Most candidates of one review. The rest waits for the next one. */
export const MOST_CANDIDATES = 2000;
/** How long a review can be applied. */
export const REVIEW_HOLDS_MS = 7 * 86_400_000;
/** How long an order counts. A repeated old order would remove a wheel that came back since. */
export const ORDER_HOLDS_MS = 3_600_000;
