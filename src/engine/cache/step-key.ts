import type { Artifact } from '../../model/artifact.js';
import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import type { StepId } from '../../model/ids.js';
import type { JsonObject } from '../../model/json.js';
import type { KindName } from '../../model/kinds.js';
import { order } from '../../model/order.js';
import type { BundleFile, Step } from '../../model/plan.js';

/** The part of an input's result that enters a step key. */
export interface KeyInput {
  readonly step: StepId;
  readonly artifacts: readonly Artifact[];
  readonly facts: JsonObject;
}

export interface KeyParts {
  readonly kind: KindName;
  /** `KINDS[kind].epoch`. */
  readonly epoch: number;
  /** The step's epoch in the release file. If absent, it is no part of the key. */
  readonly raised?: number;
  readonly params: object;
  /** What parameters stand for. It is no part of the key. Absent: nothing more is known of them. */
  readonly told?: JsonObject;
  /** In the order of the edges, as activities see them. */
  readonly inputs: readonly KeyInput[];
  readonly files: readonly BundleFile[];
  /** Tools that it uses. A digest of all tools of the queue in runs of an earlier version. Null if no tool makes the bytes. */
  readonly toolchain: Pin | string | null;
  /** SOURCE_DATE_EPOCH of the step's programs. Null if it does not depend on the source. */
  readonly sourceEpoch: string | null;
}

/** Returns the digest of everything that can change a step's result. It excludes run, attempt, time and the worker. */
export function stepKey(parts: KeyParts, hash: Hash): Digest {
  const { kind, epoch, raised, params, toolchain, sourceEpoch } = parts;
  const own = { kind, epoch, ...(raised !== undefined && { raised }), params, toolchain, sourceEpoch };
  return digestOf({ ...own, inputs: parts.inputs.map(input), files: files(parts.files) }, hash);
}

const input = ({ step, artifacts, facts }: KeyInput): object => ({ step, artifacts: artifacts.map(artifact), facts });

const artifact = ({ digest, kind, name, labels }: Artifact): object => ({ digest, kind, name, labels });

/** Sorts files by path, because a bundle is a set. */
const files = (all: readonly BundleFile[]): readonly object[] =>
  [...all].sort((a, b) => order(a.path, b.path)).map(({ path, digest, executable }) => ({ path, digest, executable }));

/** Tools of a queue by version, as its proof measured them. */
export interface Pin {
  /** `linux-x86_64`. */
  readonly machine: string;
  /** `glibc 2.36`. Null if unknown. */
  readonly libc: string | null;
  /** A queue with a device, such as a GPU. Absent on others. */
  readonly queue?: string;
  /** Version by tool: `{ uv: '0.13.8', gcc: '12.2.0' }`. */
  readonly tools: Versions;
  /** Version by tag: `{ cp311: '3.11.9' }`. */
  readonly pythons: Versions;
}
type Versions = Readonly<Record<string, string>>;

/** Returns what the proof of a queue pins for a step: the machine, and the tools that the step uses. Plans and proofs of an earlier
 * version pin all tools of the queue as one digest.
 * @param facts those of the result of `proveQueue` */
export function pinOf({ uses }: Pick<Step, 'uses'>, facts: JsonObject): Pin | string {
  const { toolchain, ...all } = facts as unknown as Pin & { readonly toolchain: string };
  if (uses === undefined || all.machine === undefined) return String(toolchain);
  return { ...all, tools: only(all.tools, uses.tools), pythons: only(all.pythons, uses.pythons) };
}

const only = (versions: Versions, used: readonly string[]): Versions =>
  Object.fromEntries(used.flatMap((name) => (Object.hasOwn(versions, name) ? [[name, versions[name]!]] : [])));
