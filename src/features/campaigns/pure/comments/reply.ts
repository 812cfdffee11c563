import type { Problem } from '../../../../model/failure.js';
import type { RunStatus } from '../../../../model/messages.js';
import type { Hooks } from '../../schemas/hooks.js';
import type { Mistake } from './directives.js';

/** What was planned for a comment. All texts may be anything. */
export interface Planned {
  readonly job: string;
  /** Workflow id of the run: `pipeline/NAME/pr-N-cID`. */
  readonly run: string;
  /** Login of who wrote the comment. */
  readonly by: string;
  /** Hash of the commit of the source. */
  readonly commit: string;
  readonly presets: readonly string[];
  /** Settings that differ from the file, each with its last source in words: `preset nightly, config.yaml:12`. */
  readonly settings: readonly { readonly path: string; readonly value: string; readonly from: string }[];
  /** Entries that are left out, with the reason. */
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
  /** Number of steps. */
  readonly steps: number;
}

/** Why a comment starts nothing. */
export type Refusal = 'stranger' | 'fork' | 'pushed' | 'edited' | 'closed';

/** What a reply tells. `mark`: what the marker names, so that the reply is found again: the workflow id of the comment. */
export type ReplyState = { readonly mark: string } &
  /** `problems`: what planning found. */
  (
    | { readonly kind: 'mistakes'; readonly mistakes: readonly Mistake[]; readonly problems?: readonly Problem[] }
    | { readonly kind: 'help'; readonly hooks: Hooks }
    | { readonly kind: 'refused'; readonly why: Refusal; readonly by: string; readonly hooks: Hooks }
    /** Answer of /plan. */
    | { readonly kind: 'plan'; readonly planned: Planned }
    /** `status` null: it has not started. */
    | { readonly kind: 'run'; readonly planned: Planned; readonly status: RunStatus | null }
    | { readonly kind: 'cancelled'; readonly runs: readonly string[]; readonly by: string }
  );

/** First line of a reply. A reply is ours if its author is us and it begins with this line: quoted ones do not. */
export declare function markerOf(mark: string): string;

/** The reply in Markdown. Begins with the marker, names nobody, has at most 60,000 characters. */
export declare function renderReply(state: ReplyState): string;
