import { FLEET, type Queue } from './ids.js';
import type { StageId } from './stages.js';

/** pure: results are cached by step key. probe: the world is asked each time. always: runs each time. */
export type CacheRule = 'pure' | 'probe' | 'always';

/** Servers that a kind talks to. `.slipway/services.json` has the same names; profiles write `service:NAME`. */
export type ServiceName = 'temporal' | 'docker' | 'staging' | 'registry' | 'index' | 'maven' | 'wheels';

/** Effect of a kind outside its own result.
 * `folder`: by itself only files in its own folder. `slipway reproduce` can repeat it.
 * `target`: what users of a target get. It asks the policy, marks its own effects, and a conflict stops it.
 * `other`: services, records, messages, what a key signs. */
export type Changes = 'folder' | 'target' | 'other';

export interface Kind {
  /** Present participle for the live display: "building wheel". */
  readonly doing: string;
  readonly stage: StageId;
  readonly cache: CacheRule;
  readonly changes: Changes;
  /** Services that the drill may kill under it; outages go by plan/services.ts. */
  readonly services: readonly ServiceName[];
  /** Default time limit of one attempt. */
  readonly limitMs: number;
  /** Whether it runs lines or code of a project or of third-party packages. Such kinds run in a sandbox, on build
   * workers, which hold no secret. Other kinds run our programs, and lines of the release file on control. */
  readonly runsProject: boolean;
  /** Raise it when the kind's code changes its results. All older results of the kind then miss the cache. */
  readonly epoch: number;
}

const MINUTE = 60_000;
type Row = [
  stage: StageId,
  doing: string,
  cache: CacheRule,
  changes: Changes,
  minutes: number,
  services?: readonly ServiceName[],
  epoch?: number,
];
const ours = (...[stage, doing, cache, changes, minutes, services = [], epoch = 1]: Row): Kind => ({
  ...{ stage, doing, cache, changes, limitMs: minutes * MINUTE, services, epoch, runsProject: false },
});
const project = (...row: Row): Kind => ({ ...ours(...row), runsProject: true });

/** Kinds of steps. Each name is also the name of an activity; parameters are in params.ts. */
export const KINDS = {
  proveQueue: ours('prove', 'proving queue', 'probe', 'other', 5),
  proveTarget: ours('prove', 'proving target', 'probe', 'other', 5),
  proveKey: ours('prove', 'proving signing key', 'probe', 'other', 5),
  proveAttestKey: ours('prove', 'proving the key that attests', 'probe', 'other', 5),
  fetchSource: ours('source', 'fetching source', 'pure', 'folder', 15),
  compileLock: project('deps', 'locking dependencies', 'pure', 'folder', 15),
  takeSdist: ours('sdists', 'taking sdist', 'pure', 'folder', 5),
  buildSdist: project('sdists', 'building sdist', 'pure', 'folder', 30),
  prepareSource: project('wheels', 'preparing source', 'pure', 'folder', 60),
  takeWheel: ours('wheels', 'taking wheel', 'probe', 'other', 30),
  buildWheel: project('wheels', 'building wheel', 'pure', 'folder', 120),
  buildNative: project('jars', 'building native libraries', 'pure', 'folder', 60),
  buildJar: project('jars', 'building JARs', 'pure', 'folder', 60),
  signFiles: ours('jars', 'signing', 'always', 'other', 5),
  makeBase: ours('images', 'making base image', 'probe', 'other', 30, ['docker', 'staging']),
  buildImage: ours('images', 'building image', 'probe', 'other', 60, ['docker', 'staging']),
  assembleIndex: ours('images', 'assembling index', 'probe', 'other', 10, ['staging']),
  promoteImage: ours('images', 'promoting image', 'probe', 'other', 30, ['registry', 'staging']),
  runTest: project('tests', 'testing', 'pure', 'folder', 30, ['docker', 'staging']),
  runOnCluster: project('tests', 'testing on a cluster', 'pure', 'other', 120, ['docker', 'staging']),
  runCommand: project('steps', 'running command', 'pure', 'folder', 60),
  tidyUp: project('steps', 'tidying up', 'always', 'folder', 30),
  clearClusters: project('steps', 'removing clusters', 'always', 'other', 30),
  sealManifest: ours('seal', 'sealing manifest', 'always', 'other', 10),
  attestRelease: ours('attest', 'attesting', 'always', 'other', 5),
  passGate: ours('gates', 'passing gate', 'always', 'other', 5),
  publishArtifacts: ours('publish', 'publishing', 'probe', 'target', 30, [
    'index',
    'maven',
    'wheels',
    'registry',
    'staging',
  ]),
  verifyTarget: project('verify', 'verifying', 'probe', 'other', 30, [
    'docker',
    'index',
    'maven',
    'wheels',
    'registry',
  ]),
  movePointer: ours('point', 'moving pointer', 'probe', 'target', 10, ['registry']),
  announceRelease: ours('announce', 'announcing', 'always', 'other', 5),
  keepStandings: ours('report', 'keeping standings', 'always', 'other', 10),
  reportTests: ours('report', 'reporting tests', 'always', 'other', 30),
  writeReport: ours('report', 'writing report', 'always', 'other', 5),
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** Kinds whose steps wait for hours and compute next to nothing. */
const WATCHING: ReadonlySet<KindName> = new Set(['takeWheel']);

/** Returns the task queue of a step. Steps that only wait use the queue of watches, and so no slot of `control`. */
export const taskQueueOf = ({ kind, on }: { readonly kind: KindName; readonly on: Queue }): Queue =>
  WATCHING.has(kind) ? FLEET : on;
