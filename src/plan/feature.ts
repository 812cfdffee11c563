import type { CommitAsk, ImportFacts } from '../importers/asks.js';
import type { Importers } from '../importers/importer.js';
import type { SettingValues } from '../importers/settings.js';
import type { Digest, Hash } from '../model/digest.js';
import { fail, type Problem } from '../model/failure.js';
import type { Finding } from '../model/finding.js';
import type { Given } from '../model/plan.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import { SECTIONS_OF } from '../model/schema/run-retries.js';
import type { FeatureStages } from '../model/stages.js';
import type { Context } from './context.js';
import { entriesOf } from './entries.js';
import type { ReadFile } from './read/release-file.js';
import type { Stage } from './stage.js';

/** Exports of a feature's `plan.ts`. Pure. */
export interface FeaturePlan {
  /** Each stage of its `kinds.ts`, by its id. */
  readonly stages?: Readonly<Record<string, Stage>>;
  /** Importers by the word behind `import:`. Its `schemas.ts` has the form of the entry: `scans.import.licences`. */
  readonly importers?: Importers;
  /** Complains about the file as a whole. */
  check?(context: Context): void;
  /** First part of the words that name its settings: `config`. */
  readonly word?: string;
  /** Reads the settings that entries of the file name, before anything is imported. */
  readonly settings?: ReadSettings;
}

/** Returns what it asks of the commit, or the settings; null: the file has none. It is called again with answers, in at most ten
 * rounds. Throws nothing: problems are findings. */
export type ReadSettings = (
  file: ReadFile,
  around: { readonly given: Given; readonly facts: ImportFacts; readonly hash: Hash },
) => { readonly asks: readonly CommitAsk[] } | Settings | null;

export interface Settings extends SettingValues {
  /** The file with what its settings change: calls become lines of the shell. */
  readonly file: ReadFile;
  /** All problems at once. */
  readonly findings: readonly Problem[];
  /** Checks what the file does not choose: every preset alone. `slipway check` asks for it. Absent: nothing is to be checked. */
  lint?(): readonly SettingsPart[];
  /** For commands of the feature that reads them. */
  readonly own?: object;
}

/** A part of the settings that a command may choose, and what is wrong with it. */
export interface SettingsPart {
  readonly name: string;
  /** The option that chooses it: `--preset`. Absent: it always counts. */
  readonly by?: string;
  /** Its place and size, for people. */
  readonly about: string;
  readonly findings: readonly Finding[];
}

/** Settings of a file that is planned. */
export interface PlannedSettings extends SettingValues, Pick<Settings, 'lint' | 'own'> {
  /** Of the document. */
  readonly digest: Digest;
}

/** By the name of the feature. */
export type FeaturePlans = Readonly<Record<string, FeaturePlan>>;
/** `FEATURE_PLANS`: each feature with stages is in it, and has all of them. */
export type PlanList<L = FeatureStages> = FeaturePlans & {
  readonly [F in keyof L as [keyof L[F]] extends [never] ? never : F]: {
    readonly stages: { readonly [S in keyof L[F]]: Stage };
  };
};

/** Throws FEATURE_NOT_HANDED_IN if entries of the file belong to a feature that is not in the list: nothing would plan them. */
export function assertHandedIn(release: ReleaseFile, features: FeaturePlans): void {
  for (const [feature, sections] of Object.entries<object>(SECTIONS_OF))
    for (const section of Object.keys(sections))
      if (!Object.hasOwn(features, feature) && Object.keys(entriesOf(release, section)).length > 0)
        throw fail(notHandedIn(section, feature));
}

const notHandedIn = (section: string, feature: string): Problem => ({
  code: 'FEATURE_NOT_HANDED_IN',
  class: 'bug',
  message: `section "${section}" is of feature "${feature}", which this program does not plan with`,
  next: `Add the feature to src/features/plan.ts, and hand FEATURE_PLANS to what plans.`,
});
