import type { CoreKind } from '../model/kinds.js';
import { createAnnounceRelease } from './announce/announce-release.js';
import { createAttestRelease } from './attest/attest-release.js';
import { createProveAttestKey } from './attest/envelope.js';
import { createClearClusters } from './clusters/clear-clusters.js';
import { createRunOnCluster } from './clusters/run-on-cluster.js';
import { createPassGate } from './gates/pass-gate.js';
import { createAssembleIndex, createPromoteImage } from './images/assemble-index.js';
import { createBuildImage } from './images/build-image.js';
import { createMakeBase } from './images/make-base.js';
import { createBuildJar } from './jars/build-jar.js';
import { createBuildNative } from './jars/natives/build-native.js';
import { createProveKey } from './jars/sign/gpg.js';
import { createSignFiles } from './jars/sign/sign-files.js';
import { createMovePointer } from './point/move-pointer.js';
import { createProveQueue } from './prove-queue/prove-queue.js';
import { createProveTarget } from './prove-target/prove-target.js';
import { createPublishArtifacts } from './publish/publish-artifacts.js';
import { createWriteReport } from './report/write-report.js';
import { createReportTests } from './reports/report-tests.js';
import { createBuildSdist, createTakeSdist } from './sdists/build-sdist.js';
import { createSealManifest } from './seal/sealed.js';
import { createFetchSource } from './source/fetch-source.js';
import { createKeepStandings } from './standings/keep-standings.js';
import { createRunCommand } from './steps/run-command.js';
import { createRunTest } from './tests/run-test.js';
import { createFetchTool } from './tools/fetch-tool.js';
import { createVerifyTarget } from './verify/verify-target.js';
import { createBuildWheel } from './wheels/build-wheel.js';
import { createPrepareSource } from './wheels/prepare-source.js';
import { createTakeWheel, type TakePorts } from './wheels/taken/take-wheel.js';
import type { StepContext } from './step/ports.js';
import type { Body } from './work.js';

/** Each kind of the core and the factory of its body. A kind has one row in each of three lists: here, `KINDS`
 * (model/kinds.ts) and `PARAMS` (model/schema/params.ts). A stage of `STAGES` (plan/stages.ts) plans it. */
export const KIND_BODIES = {
  proveQueue: createProveQueue,
  proveTarget: createProveTarget,
  proveKey: createProveKey,
  proveAttestKey: createProveAttestKey,
  fetchSource: createFetchSource,
  fetchTool: createFetchTool,
  takeSdist: createTakeSdist,
  buildSdist: createBuildSdist,
  prepareSource: createPrepareSource,
  takeWheel: (ports: TakePorts) => createTakeWheel(ports),
  buildWheel: createBuildWheel,
  buildNative: createBuildNative,
  buildJar: createBuildJar,
  signFiles: createSignFiles,
  makeBase: createMakeBase,
  buildImage: createBuildImage,
  assembleIndex: createAssembleIndex,
  promoteImage: createPromoteImage,
  runTest: createRunTest,
  runOnCluster: createRunOnCluster,
  runCommand: createRunCommand,
  tidyUp: createRunCommand,
  clearClusters: createClearClusters,
  sealManifest: createSealManifest,
  attestRelease: createAttestRelease,
  passGate: createPassGate,
  publishArtifacts: createPublishArtifacts,
  verifyTarget: createVerifyTarget,
  movePointer: createMovePointer,
  announceRelease: createAnnounceRelease,
  keepStandings: createKeepStandings,
  reportTests: createReportTests,
  writeReport: createWriteReport,
} satisfies { readonly [K in CoreKind]: (ports: never) => Body<K> };

type Ports<K extends CoreKind> = Parameters<(typeof KIND_BODIES)[K]> extends [infer One] ? One : object;
type TakesPorts<K extends CoreKind> = K extends CoreKind ? (ports: Ports<K>) => void : never;

export type PortsOf<K extends CoreKind> = TakesPorts<K> extends (ports: infer All) => void ? All : never;
/** Ports of all kinds of the core, and what every step of this worker gets. */
export type CorePorts = PortsOf<CoreKind> & { readonly around: StepContext };

export function makeBodies<K extends CoreKind>(
  kinds: readonly K[],
  ports: PortsOf<K>,
): { readonly [Each in K]: Body<Each> } {
  const made = kinds.map((kind) => [kind, KIND_BODIES[kind](ports as never)]);
  return Object.fromEntries(made) as { readonly [Each in K]: Body<Each> };
}
