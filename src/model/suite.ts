/** A suite of tests that a project has of its own. */
export interface Suite {
  readonly tool: 'pytest' | 'tox' | 'maven' | 'cargo' | 'go' | 'npm';
  /** The name on screens: `tests/ (pytest)`. */
  readonly name: string;
  /** A shell line that runs in its folder. */
  readonly run: string;
  /** Files of the project that say so. */
  readonly from: string;
  /** Paths of the source that the line needs. */
  readonly tree: readonly string[];
  /** Requirements besides those of the project. Null: it uses no Python. */
  readonly requires: readonly string[] | null;
  /** Files with requirements, and files with constraints, as paths in its folder. */
  readonly in?: readonly string[];
  readonly constraints?: readonly string[];
}

/** Suites by folder of a project; the top is empty. */
export type Suites = Readonly<Record<string, readonly Suite[]>>;
