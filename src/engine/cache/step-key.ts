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
  /** The release file's own of this step; absent where nothing was said, and then no part of the key. */
  readonly raised?: number;
  readonly params: object;
  /** In the order of the step's edges: activities see them in that order. */
  readonly inputs: readonly KeyInput[];
  /** Bundle files that the step reads. */
  readonly files: readonly BundleFile[];
  /** Digest that `prove` pinned for the step's queue; null where no tool makes the bytes. */
  readonly toolchain: string | null;
  /** SOURCE_DATE_EPOCH that the step's programs see; null where it does not stand on the source. */
  readonly sourceEpoch: string | null;
}

/** Digest of everything that can change a step's result, and of nothing else: no run, no attempt, no time, no place. */
export function stepKey(parts: KeyParts, hash: Hash): Digest {
  const { kind, epoch, raised, params, toolchain, sourceEpoch } = parts;
  const own = { kind, epoch, ...(raised !== undefined && { raised }), params, toolchain, sourceEpoch };
  return digestOf({ ...own, inputs: parts.inputs.map(input), files: files(parts.files) }, hash);
}

const input = ({ step, artifacts, facts }: KeyInput): object => ({ step, artifacts: artifacts.map(artifact), facts });

const artifact = ({ digest, kind, name, labels }: Artifact): object => ({ digest, kind, name, labels });

/** Sorted by path: a bundle is a set, whatever walked the folder. */
const files = (all: readonly BundleFile[]): readonly object[] =>
  [...all]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, digest, executable }) => ({ path, digest, executable }));
