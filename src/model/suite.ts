/** A suite of tests that a project has of its own. */
export interface Suite {
  readonly tool: 'pytest' | 'tox' | 'maven' | 'cargo' | 'go' | 'npm';
  /** As a person calls it: `tests/ (pytest)`. */
  readonly name: string;
  /** A shell line. Null: what the suite runs is not proposed. */
  readonly run: string | null;
  /** Files of the project that say so. */
  readonly from: string;
  /** Paths of the source that the line needs. */
  readonly tree: readonly string[];
  /** Requirements besides those of the project. Null: it uses no Python. */
  readonly requires: readonly string[] | null;
}
