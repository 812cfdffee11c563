import type { Hooks } from '../../schemas/hooks.js';

/** What a comment gives to planning: a part of `Given`. */
export interface Chosen {
  /** Those of the job, then those of the comment. */
  readonly preset?: readonly string[];
  /** `PATH=YAML`, later ones win: /project and /cluster, then /var of the body, then /var of the comment. */
  readonly set?: readonly string[];
  /** Ids of entries: `steps/prepare`. */
  readonly skip?: readonly string[];
  readonly only?: readonly string[];
}

/** A line that cannot be done as it stands. */
export interface Mistake {
  readonly in: 'comment' | 'body';
  /** From 1. */
  readonly line: number;
  /** The line as written, at most 200 characters. Not yet quiet. */
  readonly text: string;
  readonly message: string;
  readonly next: string;
}

export type Directives =
  /** The comment is not for us. */
  | { readonly kind: 'none' }
  /** `sound`: what the other lines ask for, if they name a job: planning it may find more. */
  | {
      readonly kind: 'mistakes';
      readonly mistakes: readonly Mistake[];
      readonly sound?: { readonly job: string; readonly given: Chosen };
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'plan' | 'test'; readonly job: string; readonly given: Chosen }
  /** `job` null: of any job. */
  | { readonly kind: 'cancel'; readonly job: string | null };

/** Reads the directives of a comment, with the settings of the body of its pull request. Bounded: a text that would take long is a mistake.
 * @param body null if there is none, or its author may not start runs: nothing of it counts then */
export declare function readDirectives(texts: {
  readonly comment: string;
  readonly body: string | null;
  readonly hooks: Hooks;
}): Directives;
