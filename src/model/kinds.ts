import { FLEET, type Queue } from './ids.js';
import type { StageId } from './stages.js';

/** pure: results are cached by step key. probe: the world is asked each time. always: runs each time. */
export type CacheRule = 'pure' | 'probe' | 'always';

/** Servers that a kind talks to. `.slipway/services.json` has the same names; profiles write `service:NAME`. */
export type ServiceName = 'temporal' | 'docker' | 'staging' | 'registry' | 'index' | 'maven';

export interface Kind {
  /** Present participle for the live display: "building wheel". */
  readonly doing: string;
  readonly stage: StageId;
  readonly cache: CacheRule;
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
  minutes: number,
  services?: readonly ServiceName[],
  epoch?: number,
];
const ours = (...[stage, doing, cache, minutes, services = [], epoch = 1]: Row): Kind => ({
  ...{ stage, doing, cache, limitMs: minutes * MINUTE, services, epoch, runsProject: false },
});
const project = (...row: Row): Kind => ({ ...ours(...row), runsProject: true });

/** Kinds of steps. Each name is also the name of an activity; parameters are in params.ts. */
export const KINDS = {
  proveQueue: ours('prove', 'proving queue', 'probe', 5),
  proveTarget: ours('prove', 'proving target', 'probe', 5),
  proveKey: ours('prove', 'proving signing key', 'probe', 5),
  proveAttestKey: ours('prove', 'proving the key that attests', 'probe', 5),
  fetchSource: ours('source', 'fetching source', 'pure', 15),
  compileLock: project('deps', 'locking dependencies', 'pure', 15),
  takeSdist: ours('sdists', 'taking sdist', 'pure', 5),
  buildSdist: project('sdists', 'building sdist', 'pure', 30),
  prepareSource: project('wheels', 'preparing source', 'pure', 60),
  takeWheel: ours('wheels', 'taking wheel', 'probe', 30),
  buildWheel: project('wheels', 'building wheel', 'pure', 120),
  buildNative: project('jars', 'building native libraries', 'pure', 60),
  buildJar: project('jars', 'building JARs', 'pure', 60),
  signFiles: ours('jars', 'signing', 'always', 5),
  makeBase: ours('images', 'making base image', 'probe', 30, ['docker', 'staging']),
  buildImage: ours('images', 'building image', 'probe', 60, ['docker', 'staging']),
  assembleIndex: ours('images', 'assembling index', 'probe', 10, ['staging']),
  promoteImage: ours('images', 'promoting image', 'probe', 30, ['registry', 'staging']),
  runTest: project('tests', 'testing', 'pure', 30, ['docker', 'staging']),
  runOnCluster: project('tests', 'testing on a cluster', 'pure', 120, ['docker', 'staging']),
  runCommand: project('steps', 'running command', 'pure', 60),
  tidyUp: project('steps', 'tidying up', 'always', 30),
  sealManifest: ours('seal', 'sealing manifest', 'always', 10),
  attestRelease: ours('attest', 'attesting', 'always', 5),
  passGate: ours('gates', 'passing gate', 'always', 5),
  publishArtifacts: ours('publish', 'publishing', 'probe', 30, ['index', 'maven', 'registry', 'staging']),
  verifyTarget: project('verify', 'verifying', 'probe', 30, ['docker', 'index', 'maven', 'registry']),
  movePointer: ours('point', 'moving pointer', 'probe', 10, ['registry']),
  announceRelease: ours('announce', 'announcing', 'always', 5),
  writeReport: ours('report', 'writing report', 'always', 5),
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** Kinds whose steps wait for hours and compute next to nothing. */
const WATCHING: ReadonlySet<KindName> = new Set(['takeWheel']);

/** Returns the task queue of a step. Steps that only wait use the queue of watches, and so no slot of `control`. */
export const taskQueueOf = ({ kind, on }: { readonly kind: KindName; readonly on: Queue }): Queue =>
  WATCHING.has(kind) ? FLEET : on;
