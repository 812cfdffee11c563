import type { Distribution } from '../model/debian.js';
import type { Finding } from '../model/finding.js';
import type { Rebuilds } from '../model/made-base.js';
import type { PureBuild } from '../model/pure-build.js';
import type { IndexEntry } from '../model/python/index-entry.js';

/** Bytes of a file, unless its question allows more. */
export const LARGEST_TEXT = 4 * 1_048_576;

/** A question about the source's commit, by a path in it. A file with more than `mostBytes` fails planning. */
export type CommitAsk =
  | { readonly ask: 'text'; readonly path: string; readonly mostBytes?: number }
  /** Names of the files in a folder, without those of folders below it. */
  | { readonly ask: 'folder'; readonly path: string }
  | { readonly ask: 'present'; readonly path: string }
  /** Git's id of a file's content. */
  | { readonly ask: 'id'; readonly path: string };

/** Paths that differ between the commit and its merge base with a reference. */
export interface ChangedAsk {
  readonly ask: 'changed';
  /** A branch, tag or commit of the repository. Null: everything counts as changed. */
  readonly since: string | null;
  /** Globs whose files are named. */
  readonly globs: readonly string[];
  /** Files that must not be links. Absent: none. */
  readonly rules?: readonly string[];
}

export interface Changes {
  /** Merge base, 40 hex digits. Null: everything counts as changed. */
  readonly base: string | null;
  /** Changed paths from the top of the source, sorted; also of deleted files. Empty if `base` is null. */
  readonly paths: readonly string[];
  /** Up to three files that a glob matches, nearest to the changed paths first, by glob. */
  readonly near: Readonly<Record<string, readonly string[]>>;
  /** Links among the asked files. Absent: none. */
  readonly links?: readonly string[];
}

/** A file at a commit of another repository. */
export interface FileAsk {
  readonly ask: 'file';
  /** Path from the release file's folder, or an address. */
  readonly git: string;
  /** 40 hex digits. */
  readonly commit: string;
  readonly path: string;
}

/** Packages that a bindep file names for a distribution. */
export interface BindepAsk extends Omit<FileAsk, 'ask'> {
  readonly ask: 'bindep';
  readonly platform: Distribution;
  readonly profiles: readonly string[];
}

export interface AskedProject {
  /** Normalised by PEP 503. */
  readonly name: string;
  /** Exact versions, as the lists write them. */
  readonly versions: readonly string[] | 'all';
}

/** Files of projects in the indexes that pip is configured for. One question for all projects: they are fetched together. */
export interface IndexAsk {
  readonly ask: 'index';
  readonly projects: readonly AskedProject[];
  /** An answer younger than this is not asked for again. */
  readonly maxAgeMs: number;
}

/** Branches of another repository. */
export interface BranchesAsk {
  readonly ask: 'branches';
  readonly git: string;
}

/** The day of planning. A plan from former facts has the same cut-offs. */
export interface TodayAsk {
  readonly ask: 'today';
}

/** Wheels that our own indexes list for a platform: the file's targets of kind `simple`. */
export interface OursAsk {
  readonly ask: 'ours';
  readonly platform: string;
}

/** Builds of sdists that gave pure wheels. */
export interface PureAsk {
  readonly ask: 'pure';
  /** Digests of sdists, 64 hex digits each. */
  readonly sdists: readonly string[];
}

/** A question of the core. */
export type Ask = CommitAsk | ChangedAsk | BranchesAsk | FileAsk | BindepAsk | IndexAsk | TodayAsk | OursAsk | PureAsk;

/** A question of a feature, which its `node.ts` answers. */
export interface OwnAsk<N extends string = string> {
  /** Name of the question. The answers are in the facts under it, by key. */
  readonly ask: N;
  readonly keys: readonly string[];
}

/** A question. An importer never reads: planning answers, and calls it again. */
export type AnyAsk = Ask | OwnAsk;

export interface BindepAnswer {
  /** Names of packages, sorted. */
  readonly packages: readonly string[];
  /** Lines that bindep does not take, counted from 1; the other lines count. */
  readonly broken: readonly { readonly line: number; readonly text: string }[];
}

/** A file of a project's page. */
export interface IndexFile {
  readonly file: string;
  /** The asked version that it is of. If all were asked: the version in its name. */
  readonly version: string;
  /** 64 hex digits. Null: the index gives none. */
  readonly sha256: string | null;
  /** Null: the index gives none. */
  readonly size: number | null;
  readonly requiresPython: string | null;
  /** Null: not yanked. Empty: yanked without a reason. */
  readonly yanked: string | null;
  readonly uploadedAt: string | null;
}

/** Why no index was asked, of a plan with `--offline`. */
export const PLANNED_OFFLINE = 'planned with --offline';

export type IndexAnswer =
  | {
      readonly state: 'files';
      readonly askedAt: string;
      /** Why the index could not be asked now: this is what it said before. */
      readonly late: string | null;
      /** Files of the asked versions, sorted by name. */
      readonly files: readonly IndexFile[];
      /** The newest versions on the page, up to five, the newest last. */
      readonly newest: readonly string[];
      /** Names of files on the page that are another project's, up to five. */
      readonly foreign: readonly string[];
    }
  /** No index has the project. */
  | { readonly state: 'absent'; readonly askedAt: string; readonly late: string | null }
  /** An index could not be asked, and has not answered before. */
  | { readonly state: 'unanswered'; readonly since: string; readonly why: string };

/** A wheel that an index of ours lists. */
export interface OurWheel extends Pick<
  IndexEntry,
  'file' | 'digest' | 'requiresPython' | 'uploadTime' | 'from' | 'links' | 'epoch'
> {
  /** Reason why it is yanked. Absent if it is not. */
  readonly yanked?: string;
}

/** A wheel that an index had and does not list: it was removed, or its file is lost. Its name is taken. */
export interface FormerWheel extends Omit<OurWheel, 'yanked'> {
  /** A person removed it, and no review did. */
  readonly byHand?: true;
}

/** Index of one platform at one target. An absent index lists nothing. */
export interface OurIndex {
  readonly wheels: readonly OurWheel[];
  /** Absent: none. */
  readonly former?: readonly FormerWheel[];
  /** Damaged records. */
  readonly findings: readonly Finding[];
  /** Records of earlier runs about these wheels. Absent: none. */
  readonly rebuilds?: Rebuilds;
}

/** Answers so far. */
export interface ImportFacts {
  /** By path. Null: the commit has no such file. */
  readonly text: Readonly<Record<string, string | null>>;
  /** By path. Null: the commit has no such folder. */
  readonly folder: Readonly<Record<string, readonly string[] | null>>;
  readonly present: Readonly<Record<string, boolean>>;
  /** By path. Null: the commit has no such file. */
  readonly id: Readonly<Record<string, string | null>>;
  /** By reference. Empty: none, everything counts as changed. */
  readonly changed: Readonly<Record<string, Changes>>;
  /** Commits of branches, by repository. */
  readonly branches: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By `fileKey`. Null: the commit has no such file. */
  readonly file: Readonly<Record<string, string | null>>;
  /** By `bindepKey`. Null: the commit has no such file. */
  readonly bindep: Readonly<Record<string, BindepAnswer | null>>;
  /** By name of the project. */
  readonly index: Readonly<Record<string, IndexAnswer>>;
  /** By time zone, which is UTC: `2026-11-22`. */
  readonly today: Readonly<Record<string, string>>;
  /** By platform, then by target. */
  readonly ours: Readonly<Record<string, Readonly<Record<string, OurIndex>>>>;
  /** By digest of the sdist, 64 hex digits. */
  readonly pure: Readonly<Record<string, readonly PureBuild[]>>;
}

export const fileKey = ({ git, commit, path }: Omit<FileAsk, 'ask'>): string => `${git} ${commit} ${path}`;

export const bindepKey = ({ platform, profiles, ...file }: Omit<BindepAsk, 'ask'>): string =>
  [fileKey(file), platform.id, platform.version, platform.codename, ...profiles].join(' ');

/** No answers. @param own questions of a feature, by name */
export const noFacts = (own: object = {}): ImportFacts => ({
  ...Object.fromEntries(Object.keys(own).map((ask) => [ask, none()])),
  ...{ text: none(), folder: none(), present: none(), id: none(), changed: none() },
  ...{ branches: none(), file: none(), bindep: none(), index: none() },
  ...{ today: none(), ours: none(), pure: none() },
});

/** An empty record without a prototype: a project or a path may be called `constructor`. */
const none = (): Record<string, never> => Object.create(null) as Record<string, never>;
