import { createAttestRelease } from '../attest/attest-release.js';
import { createProveAttestKey } from '../attest/prove-attest-key.js';
import { createMovePointer } from '../point/move-pointer.js';
import { createProveTarget } from '../prove-target/prove-target.js';
import { createWriteReport } from '../report/write-report.js';
import { createSealManifest } from '../seal/seal-manifest.js';
import { createVerifyTarget } from '../verify/verify-target.js';
import type { Bodies } from '../work.js';
import type { PublishPorts } from './ports.js';
import { createPublishArtifacts } from './publish-artifacts.js';

/** Bodies of everything from the seal to the report, and the proof of targets before. */
export const createPublishBodies = (ports: PublishPorts) =>
  ({
    proveTarget: createProveTarget(ports),
    sealManifest: createSealManifest(),
    proveAttestKey: createProveAttestKey(),
    attestRelease: createAttestRelease(),
    publishArtifacts: createPublishArtifacts(ports),
    verifyTarget: createVerifyTarget(ports),
    movePointer: createMovePointer(ports),
    writeReport: createWriteReport(),
  }) satisfies Bodies;

export type { PublishPorts } from './ports.js';
