import type { Artifact } from '../../model/artifact.js';
import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import type { StepId } from '../../model/ids.js';
import type { JsonObject } from '../../model/json.js';
import type { KindName } from '../../model/kinds.js';
import type { BundleFile } from '../../model/plan.js';

/** A result that a step uses, or as much of it as can change what the step makes. */
export interface KeyInput {
  readonly step: StepId;
  readonly artifacts: readonly Artifact[];
  readonly facts: JsonObject;
}

export interface KeyParts {
  readonly kind: KindName;
  /** `KINDS[kind].epoch`. */
  readonly epoch: number;
  /** The epoch that the release file gives this step. If absent, it is no part of the key. */
  readonly raised?: number;
  readonly params: object;
  /** In the order of the edges, which activities see too. */
  readonly inputs: readonly KeyInput[];
  /** Bundle files that the step reads. */
  readonly files: readonly BundleFile[];
  /** Digest that `prove` pinned for the step's queue. Null if no tool makes the bytes. */
  readonly toolchain: string | null;
  /** SOURCE_DATE_EPOCH of the step's programs. Null if it does not depend on the source. */
  readonly sourceEpoch: string | null;
}

/** Returns the digest of everything that can change a step's result, and of nothing else: no run, attempt, time or machine. */
export function stepKey(parts: KeyParts, hash: Hash): Digest {
  const { kind, epoch, raised, params, toolchain, sourceEpoch } = parts;
  const own = { kind, epoch, ...(raised !== undefined && { raised }), params, toolchain, sourceEpoch };
  return digestOf({ ...own, inputs: parts.inputs.map(input), files: files(parts.files) }, hash);
}

const input = ({ step, artifacts, facts }: KeyInput): object => ({ step, artifacts: artifacts.map(artifact), facts });

const artifact = ({ digest, kind, name, labels }: Artifact): object => ({ digest, kind, name, labels });

/** Sorts files by path. A bundle is a set, in whatever order its folder was read. */
const files = (all: readonly BundleFile[]): readonly object[] =>
  [...all]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, digest, executable }) => ({ path, digest, executable }));
