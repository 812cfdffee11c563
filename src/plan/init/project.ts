export interface VersionFact {
  readonly value: string;
  /** A file of the source folder, and a regular expression whose first group is the version. */
  readonly from?: { readonly file: string; readonly match: string };
  /** Reason for a person to check the version, written as a comment. */
  readonly doubt?: string;
}

export type Project = PythonProject | MavenProject | DockerProject;

interface Found {
  /** Path below init's folder. Empty for that folder itself. */
  readonly folder: string;
  readonly file: string;
  readonly name: string;
  /** Null if no file states it. */
  readonly version: VersionFact | null;
}

export interface PythonProject extends Found {
  readonly kind: 'python';
  /** Common name of the build backend: `scikit-build-core`. */
  readonly backend: string;
  /** pure: one wheel for all. native: one for each Python and platform. abi3: one for each platform. */
  readonly wheel: 'pure' | 'native' | 'abi3';
  /** Requirements of the installed project. Null if they are not written as a list. */
  readonly requires: readonly string[] | null;
  /** Tags of supported CPythons: `cp311`. */
  readonly pythons: readonly string[];
  /** The module to import. Null if no package was found. */
  readonly module: string | null;
  readonly tools: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface MavenProject extends Found {
  readonly kind: 'maven';
  readonly modules: readonly string[];
  /** Whether the POM attaches sources and javadoc. Null if a parent elsewhere may do so. */
  readonly attaches: boolean | null;
}

export interface DockerProject extends Found {
  readonly kind: 'docker';
  readonly from: readonly string[];
  /** False if the last stage begins from scratch: a line in the image needs a shell. */
  readonly hasShell: boolean;
  readonly takesBase: boolean;
  readonly fetches: boolean;
  readonly repository: string;
}
