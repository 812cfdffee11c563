import type { Checkout } from '../model/checkout.js';
import type { Digest } from '../model/digest.js';
import type { BundleFile, Given } from '../model/plan.js';
import type { Suites } from '../model/suite.js';
import type { TagRules } from '../model/schema/tags.js';
import type { Platforms, Profile, Queues } from '../model/schema/profile.js';
import type { FeaturePlans } from './feature.js';
import type { Source } from './read/document.js';

/** Facts for planning besides the release file. An adapter gathers them, never from a working tree. */
export interface Facts {
  readonly profile: {
    readonly name: string;
    readonly content: Profile;
    /** Place of a value in the profile's file. */
    readonly at?: Source['at'];
  };
  readonly bundle: readonly BundleFile[];
  readonly releaseFile: string;
  /** Features of the program that plans. */
  readonly features: FeaturePlans;
  /** Null if `source` is no commit. */
  readonly git: GitFacts | null;
  /** Commits of `sources` by name. Absent without such sources. */
  readonly sources?: Readonly<Record<string, GitFacts>>;
  readonly queues: Queues;
  readonly platforms: Platforms;
  /** Files of tag rules by their path in the release file, absent ones left out. */
  readonly tagRules?: Readonly<Record<string, TagRules>>;
  /** Options of planning besides the file. */
  readonly given?: Given;
  /** Why failures are tolerated, by id of a step, by its test in records (`tests/NAME@cp311`) or by its entry (`tests/NAME`). */
  readonly tolerated?: Readonly<Record<string, string>>;
  /** When the plan is made, in milliseconds since 1970. The label of a pipeline and the period of a base depend on it. */
  readonly nowMs: number;
  /** Image or refresh period that each line of `bases` was last made for, as `madeForOf` says it, by line. */
  readonly madeFor?: Readonly<Record<string, string | null>>;
  /** Wheels that are taken, by their names in the release file. */
  readonly wheels?: Readonly<Record<string, TakenWheel>>;
}

export interface GitFacts {
  /** 40 hex digits. With `source.folder`: the newest commit that changed the folder. */
  readonly commit: string;
  /** The commit that the release file names. Absent: the same. */
  readonly named?: string;
  readonly branch: string | null;
  /** Commit time, seconds since 1970. */
  readonly epoch: number;
  /** Texts of the commit's files that the release file names. Null for an absent file. */
  readonly files: Readonly<Record<string, string | null>>;
  /** The commit's files and tags, and the number of commits up to it on all its branches. Absent unless a snapshot is asked for. */
  readonly history?: Checkout & { readonly count: number };
  /** Suites of the folders that a release builds from. Absent where none was sought. */
  readonly suites?: Suites;
}

/** Which wheel is taken. It is decided when the release is planned. */
export interface TakenWheel {
  /** As the release file or `--wheels` says it. */
  readonly take: string;
  /** 40 hex digits; null: nothing says the commit. */
  readonly commit: string | null;
  readonly branch: string | null;
  /** An address with `{python}` and the like left; or files. */
  readonly from: { readonly at: string } | { readonly files: Readonly<Record<string, TakenFile>> };
}

/** A file of this machine, by the Python it is for; `''`: any. */
export interface TakenFile {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  readonly digest: Digest;
  readonly size: number;
}
