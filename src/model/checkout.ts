import type { JsonObject } from './json.js';

/** Facts of a folder that `slipway init` writes a release file for. Nothing in it was executed. */
export interface Checkout {
  /** Last part of the folder's path. */
  readonly name: string;
  /** Null if the folder is in no git repository. */
  readonly git: CheckoutGit | null;
  /** Paths of files below the folder, sorted; a bounded part of a large tree. */
  readonly paths: readonly string[];
  /** Texts of the files that say something about a project, by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** Parsed TOML files, by path. */
  readonly toml: Readonly<Record<string, JsonObject>>;
  /** TOML files that cannot be parsed. */
  readonly broken: readonly BrokenFile[];
  /** False if the files beside a release file in this folder are too many, too large or links. */
  readonly fitsBundle: boolean;
}

export interface CheckoutGit {
  /** Path of the folder from the top of the repository; empty for the top itself. */
  readonly folder: string;
  readonly hasCommit: boolean;
  /** Tags that the commit contains, newest first. */
  readonly tags: readonly string[];
  /** Address of the remote `origin`. */
  readonly remote: string | null;
}

export interface BrokenFile {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly why: string;
}
