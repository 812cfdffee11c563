import type { KindName } from '../model/kinds.js';
import type { TargetKind } from '../model/target.js';

/** Facts about a kind of target. */
interface TargetKindRow {
  /** Steps whose artifacts it takes. */
  readonly takes: readonly KindName[];
  /** The same for people. */
  readonly sections: string;
  /** Most reversible first. */
  readonly rank: number;
  /** How a published name is taken back where neither the release file nor the profile says. */
  readonly undo: string;
  /** Programs of the worker that publishes, and of the one that verifies. */
  readonly publishes: readonly string[];
  readonly verifies: readonly string[];
  /** Whether verifying installs from it by itself; else it compares bytes, and runs a line where there is one. */
  readonly installs: boolean;
}

/** Kinds of targets, in the order in which they are published to: what is easily deleted goes out before what stays for ever.
 * A tag on the commit is last of all: people and robots read it as "it is out". */
export const TARGETS: Readonly<Record<TargetKind, TargetKindRow>> = {
  s3: {
    takes: ['buildWheel', 'buildSdist', 'takeSdist', 'buildJar', 'buildNative', 'runCommand'],
    sections: 'wheels/, sdists/, jars/ and steps/',
    rank: 0,
    undo: 'delete the object',
    publishes: [],
    verifies: [],
    installs: false,
  },
  oci: {
    takes: ['buildImage', 'assembleIndex', 'promoteImage'],
    sections: 'images/',
    rank: 1,
    undo: 'delete the tag; the digest stays',
    publishes: [],
    verifies: ['docker'],
    installs: true,
  },
  maven: {
    takes: ['buildJar', 'buildNative'],
    sections: 'jars/',
    rank: 2,
    undo: 'delete',
    publishes: [],
    verifies: ['java', 'mvn'],
    installs: true,
  },
  command: {
    takes: ['buildWheel', 'buildSdist', 'takeSdist', 'buildJar', 'buildNative', 'runCommand'],
    sections: 'wheels/, sdists/, jars/ and steps/',
    rank: 3,
    undo: 'as its own client does; nobody said how',
    publishes: [],
    verifies: [],
    installs: false,
  },
  /** Its wheels before its sdist: `rankOf`. */
  python: {
    takes: ['buildWheel', 'buildSdist', 'takeSdist'],
    sections: 'wheels/ and sdists/',
    rank: 4,
    undo: 'yank',
    publishes: ['twine'],
    verifies: ['uv'],
    installs: true,
  },
  central: {
    takes: ['buildJar'],
    sections: 'jars/',
    rank: 6,
    undo: 'irrevocable; until it is published the deployment can be dropped',
    publishes: [],
    verifies: [],
    installs: false,
  },
  'git-tag': {
    takes: ['fetchSource'],
    sections: 'the source',
    rank: 7,
    undo: 'delete the tag; who fetched it keeps it',
    publishes: ['git'],
    verifies: ['git'],
    installs: false,
  },
};
