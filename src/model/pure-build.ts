/** A build whose wheel has no platform in its name, and its recipe. The store has it by the digest of the sdist. */
export interface PureBuild {
  /** Name of the wheel: `skiff-1.0-py3-none-any.whl`. */
  readonly file: string;
  /** Build requirements besides those of the backend. */
  readonly requires: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Debian packages of the container that it was built in. Empty: it was built on a worker. */
  readonly packages: readonly string[];
}
