import { FEATURE_KINDS } from '../features/kinds.js';
import type { ArtifactKind } from './artifact.js';
import type { Shipped } from './kind-row.js';
import { fieldOf, together } from './together.js';

/** How an address begins. Empty: without a scheme. */
type Scheme = 'http' | 'https' | 'git' | '';
const WEB: readonly ['http', 'https'] = ['http', 'https'];

/** A kind of targets. Its keys in files are in schema/target-schemas.ts. */
export interface TargetKindRow {
  /** Products of steps that it takes. */
  readonly takes: readonly (Shipped | null)[];
  /** The same as artifacts, in the order of publishing. */
  readonly artifacts: readonly ArtifactKind[];
  readonly sections: string;
  /** Order of publishing. Lower is more reversible: deletable files before permanent ones. */
  readonly rank: number;
  /** How to undo a publication if neither the release file nor the profile says. */
  readonly undo: string;
  /** Programs of the publishing worker, and of the verifying one. */
  readonly publishes: readonly string[];
  readonly verifies: readonly string[];
  /** Whether its verification installs from it. Otherwise it compares bytes, and runs a line if there is one. */
  readonly installs: boolean;
  /** Schemes that an address of this machine may have in a rehearsal. Nothing judges those of other addresses: `plan` of its schemas
   * refuses what its opener cannot speak, by `needsThat`. */
  readonly schemes: readonly Scheme[];
}

const CORE = {
  /** Its wheels before its sdist: `rankOf`. */
  python: {
    ...{ takes: ['wheel', 'sdist'], artifacts: ['wheel', 'sdist'] },
    ...{ sections: 'wheels/ and sdists/', rank: 4, undo: 'yank' },
    ...{ publishes: ['twine'], verifies: ['uv'], installs: true, schemes: WEB },
  },
  maven: {
    ...{ takes: ['jar', 'native'], artifacts: ['jar'] },
    ...{ sections: 'jars/', rank: 2, undo: 'delete' },
    ...{ publishes: [], verifies: ['java', 'mvn'], installs: true, schemes: WEB },
  },
  oci: {
    ...{ takes: ['image'], artifacts: ['image'] },
    ...{ sections: 'images/', rank: 1, undo: 'delete the tag; the digest stays' },
    ...{ publishes: [], verifies: ['docker'], installs: true, schemes: [...WEB, ''] },
  },
  s3: {
    ...{ takes: ['wheel', 'sdist', 'jar', 'native', 'files'], artifacts: ['wheel', 'sdist', 'jar', 'file'] },
    ...{ sections: 'wheels/, sdists/, jars/ and steps/', rank: 0, undo: 'delete the object' },
    ...{ publishes: [], verifies: [], installs: false, schemes: WEB },
  },
  command: {
    ...{ takes: ['wheel', 'sdist', 'jar', 'native', 'files'], artifacts: ['wheel', 'sdist', 'jar', 'file'] },
    ...{ sections: 'wheels/, sdists/, jars/ and steps/', rank: 3, undo: 'as its own client does; nobody said how' },
    ...{ publishes: [], verifies: [], installs: false, schemes: [...WEB, ''] },
  },
  central: {
    ...{ takes: ['jar'], artifacts: ['jar'] },
    ...{ sections: 'jars/', rank: 6, undo: 'irrevocable; until it is published the deployment can be dropped' },
    ...{ publishes: [], verifies: [], installs: false, schemes: WEB },
  },
  /** Last, because people and robots read it as the release. */
  'git-tag': {
    ...{ takes: ['source'], artifacts: ['source'] },
    ...{ sections: 'the source', rank: 7, undo: 'delete the tag; who fetched it keeps it' },
    ...{ publishes: ['git'], verifies: ['git'], installs: false, schemes: [...WEB, 'git'] },
  },
  /** Before the Python index: it is a cache, and its wheels can be removed. */
  simple: {
    ...{ takes: ['wheel'], artifacts: ['wheel'] },
    ...{ sections: 'wheels/', rank: 3.5 },
    undo: 'delete its entry; its page follows with the next wheel of its project',
    ...{ publishes: [], verifies: ['uv', 'pip'], installs: true, schemes: WEB },
  },
} as const satisfies Readonly<Record<string, TargetKindRow>>;
const ALL = together('kind of target', { core: CORE, ...fieldOf(FEATURE_KINDS, 'targets') });
export type TargetKind = keyof typeof ALL;
export type CoreTargetKind = keyof typeof CORE;

export const TARGETS: Readonly<Record<TargetKind, TargetKindRow>> = ALL;
export const TARGET_KINDS = Object.keys(TARGETS) as [TargetKind, ...TargetKind[]];
