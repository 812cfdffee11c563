import type { Digest } from './digest.js';
import type { StepId } from './ids.js';
import type { Cross, PlatformFacts } from './platform.js';

/** Bytes of a wheel that this release does not build. `at`: `https://…` or `store:RELEASE/…`, a wheel or a folder that ends in `/`.
 * Else a file that is stored with the plan. */
export type WheelPlace =
  | { readonly at: string }
  | { readonly name: string; readonly digest: Digest; readonly size: number };

/** A wheel that an index lists. */
export interface ListedWheel {
  readonly file: string;
  readonly digest: Digest;
  /** Build number of other bytes. */
  readonly build: number;
}

/** A value that is read from inside a wheel without importing it: the first group of `match` in `file`. */
export interface CommitCheck {
  readonly file: string;
  readonly match: string;
}

/** How a wheel locks its own build requirements. */
export interface OwnLock {
  /** Requirements besides those of the build backend. */
  readonly requires: readonly string[];
  /** Nothing uploaded after this time is taken, ISO 8601. Null: no limit. */
  readonly cutoff: string | null;
}

/** Parameters of `takeWheel`. */
export interface WheelTake {
  readonly project: string;
  /** Null: any. */
  readonly python: string | null;
  readonly for: PlatformFacts;
  readonly from: WheelPlace;
  /** The commit that the wheel is of; null: nothing says it. */
  readonly wanted: string | null;
  readonly commit: CommitCheck | null;
  /** How long to ask for it, from the first time on. */
  readonly waitMs: number;
}

/** Parameters of `buildWheel`, besides its command. */
export interface WheelBuild {
  readonly project: string;
  /** Version of its source. Null if that has none, as in a pipeline: a label is no version. */
  readonly version: string | null;
  readonly builder: 'uv' | 'build' | 'pip' | 'cibuildwheel' | 'command';
  /** Null for one wheel for all Pythons. */
  readonly python: string | null;
  /** The Python that builds it. Null for any installed one. */
  readonly interpreter: string | null;
  /** Present if the Python of the container builds it, in place of one of the worker. */
  readonly ownPython?: true;
  readonly for: PlatformFacts;
  /** True for one wheel for all platforms. `for` is then the builder's platform. */
  readonly everywhere: boolean;
  /** The cross compiler for `for`. Null for the machine's own compiler. */
  readonly cross: Cross | null;
  readonly overlay: string | null;
  /** Present if the step locks what the build backend asks for, and builds without isolation. */
  readonly lock?: OwnLock;
  /** The variant whose wheel is taken if it fits. */
  readonly sameAs?: StepId;
  /** Present if an index lists a wheel of this variant already: other bytes get the build number. */
  readonly again?: ListedWheel;
  /** Present if a failure of the product is remembered: how long the step then fails without a new try. */
  readonly retryFailedMs?: number;
  /** Globs of built wheels, relative to the working folder. Default `{out}/*.whl`. */
  readonly outputs: readonly string[];
  readonly repair: { readonly exclude: readonly string[] } | null;
  readonly commit: CommitCheck | null;
  /** Codes of accepted findings, with the reason. */
  readonly accept: Readonly<Record<string, string>>;
}
