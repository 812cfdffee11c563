import type { Shipped } from '../model/kind-row.js';
import type { TargetKind } from '../model/target.js';

interface TargetKindRow {
  /** Products of steps that it takes. */
  readonly takes: readonly (Shipped | null)[];
  readonly sections: string;
  /** Lower is more reversible. */
  readonly rank: number;
  /** How to undo a publication if neither the release file nor the profile says. */
  readonly undo: string;
  /** Programs of the publishing worker, and of the verifying one. */
  readonly publishes: readonly string[];
  readonly verifies: readonly string[];
  /** Whether its verification installs from it. Otherwise it compares bytes, and runs a line if there is one. */
  readonly installs: boolean;
}

/** Kinds of targets in the order of publishing: deletable files before permanent ones. A tag on the commit is last,
 * because people and robots read it as the release. */
export const TARGETS: Readonly<Record<TargetKind, TargetKindRow>> = {
  s3: {
    takes: ['wheel', 'sdist', 'jar', 'native', 'files'],
    sections: 'wheels/, sdists/, jars/ and steps/',
    rank: 0,
    undo: 'delete the object',
    publishes: [],
    verifies: [],
    installs: false,
  },
  oci: {
    takes: ['image'],
    sections: 'images/',
    rank: 1,
    undo: 'delete the tag; the digest stays',
    publishes: [],
    verifies: ['docker'],
    installs: true,
  },
  maven: {
    takes: ['jar', 'native'],
    sections: 'jars/',
    rank: 2,
    undo: 'delete',
    publishes: [],
    verifies: ['java', 'mvn'],
    installs: true,
  },
  command: {
    takes: ['wheel', 'sdist', 'jar', 'native', 'files'],
    sections: 'wheels/, sdists/, jars/ and steps/',
    rank: 3,
    undo: 'as its own client does; nobody said how',
    publishes: [],
    verifies: [],
    installs: false,
  },
  /** Its wheels before its sdist: `rankOf`. */
  python: {
    takes: ['wheel', 'sdist'],
    sections: 'wheels/ and sdists/',
    rank: 4,
    undo: 'yank',
    publishes: ['twine'],
    verifies: ['uv'],
    installs: true,
  },
  /** Before the Python index: it is a cache, and its wheels can be removed. */
  simple: {
    takes: ['wheel'],
    sections: 'wheels/',
    rank: 3.5,
    undo: 'delete its entry; its page follows with the next wheel of its project',
    publishes: [],
    verifies: ['uv'],
    installs: true,
  },
  central: {
    takes: ['jar'],
    sections: 'jars/',
    rank: 6,
    undo: 'irrevocable; until it is published the deployment can be dropped',
    publishes: [],
    verifies: [],
    installs: false,
  },
  'git-tag': {
    takes: ['source'],
    sections: 'the source',
    rank: 7,
    undo: 'delete the tag; who fetched it keeps it',
    publishes: ['git'],
    verifies: ['git'],
    installs: false,
  },
};
