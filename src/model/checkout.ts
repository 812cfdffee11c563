import type { JsonObject } from './json.js';

/** Files of a commit below a folder. */
export interface CommitFiles {
  /** Paths of regular files, sorted. */
  readonly paths: readonly string[];
  /** Texts of files that describe a project and its tests, by path; a bounded part of a large tree. */
  readonly texts: Readonly<Record<string, string>>;
  readonly toml: Readonly<Record<string, JsonObject>>;
  /** TOML files with syntax errors. */
  readonly broken: readonly BrokenFile[];
}

/** Facts of a folder that `slipway init` writes a release file for. Reading them executes no code of the folder. */
export interface Checkout extends CommitFiles {
  /** Last part of the folder's path. */
  readonly name: string;
  /** Null outside a git repository. */
  readonly git: CheckoutGit | null;
  /** False if files beside a release file in this folder are too many, too large or links. */
  readonly fitsBundle: boolean;
}

export interface CheckoutGit {
  /** Path of the folder from the top of the repository. Empty for the top. */
  readonly folder: string;
  readonly hasCommit: boolean;
  /** Tags that the commit contains, newest first. */
  readonly tags: readonly string[];
  readonly remote: string | null;
}

export interface BrokenFile {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly why: string;
}
