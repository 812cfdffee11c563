import type { z } from 'zod';
import type { Distribution, OwnPython } from '../model/debian.js';
import type { Hash } from '../model/digest.js';
import type { Epochs } from '../model/epochs.js';
import type { SourceLocation, Problem } from '../model/failure.js';
import type { Finding } from '../model/finding.js';
import type { ImportedEntry } from '../model/imported-entry.js';
import type { ChosenTests } from '../model/plan.js';
import type { StepId } from '../model/ids.js';
import type { Row } from '../model/rows.js';
import type { FailedTry } from '../model/run-folder.js';
import type { StandingName } from '../model/tests/standing.js';
import type { RayConfig } from '../model/schema/ray-config.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import type { AnyAsk, CommitAsk, ImportFacts } from './asks.js';
import type { SettingValues } from './settings.js';

export interface Imported {
  readonly entries: readonly ImportedEntry[];
  /** All problems at once. */
  readonly findings: readonly Problem[];
  /** Notices about the entries, for people. */
  readonly notices?: readonly Finding[];
  /** Why failures of steps are tolerated, by step. */
  readonly tolerated?: Readonly<Record<StepId, string>>;
  /** Debian packages that the bases of platforms need, by platform. Absent: none. */
  readonly packages?: Readonly<Record<string, readonly string[]>>;
  /** One row for each thing that was judged. Absent: nothing is. */
  readonly rows?: readonly Row[];
}

/** Place of a key of the import in the release file. */
export type At = (path: readonly (string | number)[]) => SourceLocation | undefined;

/** Facts besides the files that entries are made from. */
export interface Setting {
  readonly at: At;
  readonly hash: Hash;
  /** Rules that are shipped with Slipway. */
  readonly config: RayConfig;
  /** Options of the command that choose tests. */
  readonly chosen: ChosenTests;
  /** States of each test after the last night, by the name of its entry. Null: the file has no `standings`. */
  readonly states: Readonly<Record<string, readonly StandingName[]>> | null;
  /** Path of the importing entry: `wheels.constraints`. */
  readonly key: string;
  /** Platforms that the release file names or that are shipped. */
  readonly platforms: Readonly<Record<string, ImportPlatform>>;
  /** Targets of the file that are indexes of ours. */
  readonly indexes: readonly OurTarget[];
  /** Epochs of the release file. */
  readonly epochs: Epochs;
  /** The last failure of each build, by the id of its step. Null: planning asks which builds there are. */
  readonly tries: Readonly<Record<StepId, Tried>> | null;
  /** Null: the file has no settings. */
  readonly settings: SettingValues | null;
}

/** An index of ours, and the artifacts that it lists. */
interface OurTarget {
  /** Name of the target in the release file. */
  readonly target: string;
  /** Globs of entries, with values of axes: `wheels/*[platform=debian-12]`. */
  readonly files: readonly { readonly id: string; readonly pick: Readonly<Record<string, string>> }[];
}

/** The last failure of a build that an entry would make. */
export interface Tried extends Pick<FailedTry, 'run' | 'at'> {
  readonly code: string;
  readonly message: string;
  /** False: another build failed, of another recipe or sdist, or this one passed later. */
  readonly isSame: boolean;
  /** End of the time for which it is remembered, ISO 8601. Null: that time is over. */
  readonly until: string | null;
}

export interface ImportPlatform {
  readonly arch: string;
  /** Version of its glibc. Null: none is known, or it has another C library. */
  readonly glibc: string | null;
  /** Last day on which something is built for it. Null: none. */
  readonly until: string | null;
  /** The only Python that builds wheels for it. Null: any. */
  readonly python: OwnPython | null;
}

/** Distributions of the platforms whose bases take packages from the import, by platform. */
export type Distributions = Readonly<Record<string, Distribution>>;

export type ReadFiles<K, A extends AnyAsk = CommitAsk> =
  /** `held` is handed back with the next answers. */
  { readonly asks: readonly A[]; readonly held?: unknown } | { readonly kept: K };

/** How the result of `read` is stored: as plain data, by the digest of the answers. */
export interface StoredReading<E, K> {
  /** Raised when the same answers are read as something else. */
  readonly epoch: number;
  /** The part of an entry that decides what is read. */
  reading(entry: E): object;
  /** Problems that keep the result from being stored. */
  faults(kept: K): readonly Problem[];
}

interface Halves<E, K, A extends AnyAsk, Own> {
  /** Schemas of the entries that it makes, by section. */
  readonly makes: { readonly [S in keyof ReleaseFile]?: z.ZodType };
  /** Null: reading the answers again is faster than loading what was read of them. */
  readonly stored: StoredReading<E, K> | null;
  read(entry: E, facts: ImportFacts & Own, at: At, held?: unknown, distributions?: Distributions): ReadFiles<K, A>;
  make(kept: K, entry: E, setting: Setting): Imported;
  /** Returns entries of one name that two imports made as one. Null if they contradict each other. Absent: they do. */
  merge?(first: ImportedEntry, second: ImportedEntry): ImportedEntry | null;
}

/** Upstream's own files → entries, in two pure halves. `Own`: answers to its own questions, which `asks` names. */
export type Importer<E, K, A extends AnyAsk = CommitAsk, Own = unknown> = Halves<E, K, A, Own> &
  (unknown extends Own ? { readonly asks?: object } : { readonly asks: { readonly [Name in keyof Own]: object } });

/** Importers by the word behind `import:`. */
export type Importers = Readonly<Record<string, Importer<unknown, object, AnyAsk>>>;
