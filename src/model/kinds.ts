import { FEATURE_KINDS } from '../features/kinds.js';
import { FLEET, type Queue } from './ids.js';
import { row, type CacheRule, type KindRow, type ServiceName } from './kind-row.js';
import { fieldOf, together } from './together.js';

const DOCKER_STAGING = ['docker', 'staging'] as const satisfies readonly ServiceName[];

const CORE = {
  proveQueue: row('prove', 'proving queue', 'probe', 'other', 5, {
    ...{ ids: 'prove', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'always', helps: false, envSecrets: false },
  }),
  proveTarget: row('prove', 'proving target', 'probe', 'other', 5, {
    ...{ ids: 'prove', runs: 'own', ships: null, origin: 'ours', policy: 'own target', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  proveKey: row('prove', 'proving signing key', 'probe', 'other', 5, {
    ...{ ids: 'prove', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  proveAttestKey: row('prove', 'proving the key that attests', 'probe', 'other', 5, {
    ...{ ids: 'prove', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'no builds', helps: false, envSecrets: false },
  }),
  fetchSource: row('source', 'fetching source', 'pure', 'folder', 15, {
    ...{ ids: 'source', runs: 'own', ships: 'source', origin: 'input', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  fetchTool: row('source', 'fetching tool', 'pure', 'folder', 15, {
    ...{ ids: 'tools', runs: 'own', ships: null, origin: 'input', policy: 'secrets', reaches: true },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: true, envSecrets: false },
  }),
  takeSdist: row('sdists', 'taking sdist', 'pure', 'folder', 5, {
    ...{ ids: 'sdists', runs: 'own', ships: 'sdist', origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  buildSdist: row('sdists', 'building sdist', 'pure', 'folder', 30, {
    ...{ ids: 'sdists', runs: 'compiler', ships: 'sdist', origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  prepareSource: row('wheels', 'preparing source', 'pure', 'folder', 60, {
    ...{ ids: 'prepare', runs: 'compiler', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: true, envSecrets: false },
  }),
  takeWheel: row('wheels', 'taking wheel', 'probe', 'other', 30, {
    ...{ ids: 'wheels', runs: 'own', ships: null, origin: 'taken', policy: 'secrets', reaches: true },
    ...{ services: [], test: 'no', waits: 'watch', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  buildWheel: row('wheels', 'building wheel', 'pure', 'folder', 120, {
    ...{ ids: 'wheels', runs: 'compiler', ships: 'wheel', origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  buildNative: row('jars', 'building native libraries', 'pure', 'folder', 60, {
    ...{ ids: 'jars', runs: 'compiler', ships: 'native', origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  buildJar: row('jars', 'building JARs', 'pure', 'folder', 60, {
    ...{ ids: 'jars', runs: 'compiler', ships: 'jar', origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  signFiles: row('jars', 'signing', 'always', 'other', 5, {
    ...{ ids: 'signatures', runs: 'own', ships: 'signatures', origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  makeBase: row('images', 'making base image', 'probe', 'other', 30, {
    ...{ ids: 'bases', runs: 'own', ships: null, origin: 'input', policy: 'secrets', reaches: true },
    services: DOCKER_STAGING,
    ...{ test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: true, envSecrets: false },
  }),
  buildImage: row('images', 'building image', 'probe', 'other', 60, {
    ...{ ids: 'images', runs: 'own', ships: 'image', origin: 'ours', policy: 'secrets', reaches: false },
    services: DOCKER_STAGING,
    ...{ test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  assembleIndex: row('images', 'assembling index', 'probe', 'other', 10, {
    ...{ ids: 'indexes', runs: 'own', ships: 'image', origin: 'ours', policy: 'secrets', reaches: false },
    services: ['staging'],
    ...{ test: 'no', waits: 'no', wantsAll: true, idle: 'never', helps: false, envSecrets: false },
  }),
  promoteImage: row('images', 'promoting image', 'probe', 'other', 30, {
    ...{ ids: 'images', runs: 'own', ships: 'image', origin: 'ours', policy: 'secrets', reaches: true },
    services: ['registry', 'staging'],
    ...{ test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  runTest: row('tests', 'testing', 'pure', 'folder', 30, {
    ...{ ids: 'tests', runs: 'products', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    services: DOCKER_STAGING,
    ...{ test: 'plain', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  runOnCluster: row('tests', 'testing on a cluster', 'pure', 'other', 120, {
    ...{ ids: 'tests', runs: 'products', ships: null, origin: 'ours', policy: 'secrets', reaches: true },
    services: DOCKER_STAGING,
    ...{ test: 'recorded', waits: 'turn', wantsAll: false, idle: 'never', helps: false, envSecrets: true },
  }),
  runCommand: row('steps', 'running command', 'pure', 'folder', 60, {
    ...{ ids: 'steps', runs: 'project', ships: 'files', origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  tidyUp: row('steps', 'tidying up', 'always', 'folder', 30, {
    ...{ ids: 'steps', runs: 'project', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  clearClusters: row('steps', 'removing clusters', 'always', 'other', 30, {
    ...{ ids: 'clusters', runs: 'project', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  sealManifest: row('seal', 'sealing manifest', 'always', 'other', 10, {
    ...{ ids: 'seal', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: true, idle: 'no builds', helps: false, envSecrets: false },
  }),
  attestRelease: row('attest', 'attesting', 'always', 'other', 5, {
    ...{ ids: 'attest', runs: 'own', ships: null, origin: 'ours', policy: 'all targets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'no builds', helps: false, envSecrets: false },
  }),
  passGate: row('gates', 'passing gate', 'always', 'other', 5, {
    ...{ ids: 'gates', runs: 'own', ships: null, origin: 'ours', policy: 'no target', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  publishArtifacts: row('publish', 'publishing', 'probe', 'target', 30, {
    ...{ ids: 'publish', runs: 'own', ships: null, origin: 'ours', policy: 'all targets', reaches: false },
    services: ['index', 'maven', 'wheels', 'registry', 'staging'],
    ...{ test: 'no', waits: 'no', wantsAll: true, idle: 'never', helps: false, envSecrets: false },
  }),
  verifyTarget: row('verify', 'verifying', 'probe', 'other', 30, {
    ...{ ids: 'verify', runs: 'products', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    services: ['docker', 'index', 'maven', 'wheels', 'registry'],
    ...{ test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  movePointer: row('point', 'moving pointer', 'probe', 'target', 10, {
    ...{ ids: 'point', runs: 'own', ships: null, origin: 'ours', policy: 'own target', reaches: false },
    services: ['registry'],
    ...{ test: 'no', waits: 'no', wantsAll: true, idle: 'never', helps: false, envSecrets: false },
  }),
  announceRelease: row('announce', 'announcing', 'always', 'other', 5, {
    ...{ ids: 'announce', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: true },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: true, idle: 'never', helps: false, envSecrets: false },
  }),
  keepStandings: row('report', 'keeping standings', 'always', 'other', 10, {
    ...{ ids: 'report', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  reportTests: row('report', 'reporting tests', 'always', 'report', 30, {
    ...{ ids: 'reports', runs: 'own', ships: null, origin: 'ours', policy: 'own target and secrets', reaches: true },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
  }),
  writeReport: row('report', 'writing report', 'always', 'other', 5, {
    ...{ ids: 'report', runs: 'own', ships: null, origin: 'ours', policy: 'secrets', reaches: false },
    ...{ services: [], test: 'no', waits: 'no', wantsAll: false, idle: 'always', helps: false, envSecrets: false },
  }),
} as const;

/** Kinds of steps. Each name is also the name of an activity; parameters are in params.ts. */
export const KINDS = together('kind', { core: CORE, ...fieldOf(FEATURE_KINDS, 'kinds') }) satisfies Record<
  string,
  KindRow
>;
export type KindName = keyof typeof KINDS;
export type CoreKind = keyof typeof CORE;

/** Returns the row of a kind in a plan, a status or a result, which a program with other features may have written. Undefined
 * for a kind that this program does not know. */
export const rowOf = (kind: string | null): KindRow | undefined =>
  kind !== null && Object.hasOwn(KINDS, kind) ? KINDS[kind as KindName] : undefined;

/** Returns the cache rule of a step: the one of its kind, unless its entry says `cache: false`. */
export const cacheOf = ({ kind, cache }: { readonly kind: KindName; readonly cache?: 'always' }): CacheRule =>
  cache ?? KINDS[kind].cache;

/** `building wheel`. Names an unknown kind. */
export const doingOf = (kind: string | null): string =>
  rowOf(kind)?.doing ?? (kind === null ? 'running' : `running a step of the unknown kind ${kind}`);

/** Kinds whose row has this value. A `switch` on kinds ends with it, so that a further kind needs a case to compile. */
export type KindWith<F extends keyof KindRow, V> = {
  [K in KindName]: (typeof KINDS)[K][F] extends V ? K : never;
}[KindName];

/** Returns the task queue of a step. Steps that only wait use the queue of watches, and so no slot of `control`. */
export const taskQueueOf = ({ kind, on }: { readonly kind: KindName; readonly on: Queue }): Queue =>
  rowOf(kind)?.waits === 'watch' ? FLEET : on;
