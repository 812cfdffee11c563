import type { JsonObject } from '../../model/json.js';
import type { Step } from '../../model/plan.js';

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
