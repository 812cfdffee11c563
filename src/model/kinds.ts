import type { StageId } from './stages.js';

/** pure: a result is found again by step key. probe: ask the world each time. always: run each time. */
export type CacheRule = 'pure' | 'probe' | 'always';

/** Servers a kind talks to; the same names stand in `.slipway/services.json` and in profiles as `service:NAME`. */
export type ServiceName = 'temporal' | 'docker' | 'staging' | 'registry' | 'index' | 'maven';

export interface Kind {
  /** Present participle, shown live: "building wheel". */
  readonly doing: string;
  readonly stage: StageId;
  readonly cache: CacheRule;
  readonly services: readonly ServiceName[];
  /** Default time limit of one attempt. */
  readonly limitMs: number;
  /** Raise when the meaning of a kind's code changes: every older result of the kind is then unknown. */
  readonly epoch: number;
}

const MINUTE = 60_000;
const kind = (
  stage: StageId,
  doing: string,
  cache: CacheRule,
  minutes: number,
  services: readonly ServiceName[] = [],
  epoch = 1,
): Kind => ({ stage, doing, cache, limitMs: minutes * MINUTE, services, epoch });

/** What a step can be. Each row is also the name of the activity that does it; parameters are in params.ts. */
export const KINDS = {
  proveQueue: kind('prove', 'proving queue', 'probe', 5),
  proveTarget: kind('prove', 'proving target', 'probe', 5),
  proveKey: kind('prove', 'proving signing key', 'probe', 5),
  proveAttestKey: kind('prove', 'proving the key that attests', 'probe', 5),
  fetchSource: kind('source', 'fetching source', 'pure', 15),
  compileLock: kind('deps', 'locking dependencies', 'pure', 15),
  takeSdist: kind('sdists', 'taking sdist', 'pure', 5),
  buildSdist: kind('sdists', 'building sdist', 'pure', 30),
  prepareSource: kind('wheels', 'preparing source', 'pure', 60),
  buildWheel: kind('wheels', 'building wheel', 'pure', 120),
  buildNative: kind('jars', 'building native libraries', 'pure', 60),
  buildJar: kind('jars', 'building JARs', 'pure', 60),
  signFiles: kind('jars', 'signing', 'always', 5),
  makeBase: kind('images', 'making base image', 'probe', 30, ['docker', 'staging']),
  buildImage: kind('images', 'building image', 'probe', 60, ['docker', 'staging']),
  assembleIndex: kind('images', 'assembling index', 'probe', 10, ['staging']),
  promoteImage: kind('images', 'promoting image', 'probe', 30, ['registry', 'staging']),
  runTest: kind('tests', 'testing', 'pure', 30, ['docker', 'staging']),
  runCommand: kind('steps', 'running command', 'pure', 60),
  tidyUp: kind('steps', 'tidying up', 'always', 30),
  sealManifest: kind('seal', 'sealing manifest', 'always', 10),
  attestRelease: kind('attest', 'attesting', 'always', 5),
  passGate: kind('gates', 'passing gate', 'always', 5),
  publishArtifacts: kind('publish', 'publishing', 'probe', 30, ['index', 'maven', 'registry', 'staging']),
  verifyTarget: kind('verify', 'verifying', 'probe', 30, ['docker', 'index', 'maven', 'registry']),
  movePointer: kind('point', 'moving pointer', 'probe', 10, ['registry']),
  announceRelease: kind('announce', 'announcing', 'always', 5),
  writeReport: kind('report', 'writing report', 'always', 5),
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;
