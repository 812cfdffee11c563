/** How a release file says a version. */
export interface VersionFact {
  readonly value: string;
  /** The commit says it: a file of the source folder, and a regular expression whose first group is the version. */
  readonly from?: { readonly file: string; readonly match: string };
  /** Why a person should look at it, for a comment. */
  readonly doubt?: string;
}

/** A project in one folder that can be released. */
export type Project = PythonProject | MavenProject | DockerProject;

interface Found {
  /** Path below the folder that init was asked for; empty for that folder itself. */
  readonly folder: string;
  /** File that describes it. */
  readonly file: string;
  readonly name: string;
  /** Null if nothing tells it. */
  readonly version: VersionFact | null;
}

export interface PythonProject extends Found {
  readonly kind: 'python';
  /** Build backend as people call it: `scikit-build-core`. */
  readonly backend: string;
  /** pure: one wheel for all. native: one for each Python and platform. abi3: one for each platform. */
  readonly wheel: 'pure' | 'native' | 'abi3';
  /** Requirements of the installed project. Null if they are not written down as a list. */
  readonly requires: readonly string[] | null;
  /** Tags of CPythons that it takes: `cp311`. */
  readonly pythons: readonly string[];
  /** The module that users import. Null if no package was found. */
  readonly module: string | null;
  /** Programs that the build runs. */
  readonly tools: readonly string[];
  /** Variables that the build needs. */
  readonly env: Readonly<Record<string, string>>;
}

export interface MavenProject extends Found {
  readonly kind: 'maven';
  readonly modules: readonly string[];
  /** Whether the POM itself attaches sources and javadoc. Null if a parent that is elsewhere may do so. */
  readonly attaches: boolean | null;
}

export interface DockerProject extends Found {
  readonly kind: 'docker';
  /** Images that it begins from. */
  readonly from: readonly string[];
  /** False where the last stage begins from nothing: a line in the image needs a shell. */
  readonly hasShell: boolean;
  /** Whether it takes its base as `ARG BASE`. */
  readonly takesBase: boolean;
  /** Whether a line of it fetches something. */
  readonly fetches: boolean;
  /** Repository in a registry: `owner/name`. */
  readonly repository: string;
}
