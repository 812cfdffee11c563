import type { Ability } from '../model/worker.js';
import type { Context } from './context.js';

/** OCI platform of a platform. Null if it has no containers. */
export const ociOf = (platform: string | undefined, context: Context): string | null =>
  context.facts.platforms[platform ?? '']?.oci ?? null;

/** OCI platform of a queue's machines, by the queue's name. Null for another name. */
export const machineOf = (queue: string, context: Context): string | null => ociOf(queue, context);

/** Returns the platforms for which images are built, in the file's order. Platforms that differ only in their C library have the same
 * OCI platform, and the first of them is returned. */
export function ociPlatforms(context: Context): readonly string[] {
  const first = new Map<string | null, string>();
  for (const platform of [...context.platforms].reverse()) first.set(ociOf(platform, context), platform);
  first.delete(null);
  return context.platforms.filter((platform) => first.get(ociOf(platform, context)) === platform);
}

/** Returns the abilities that a queue needs to run an OCI platform. Empty for its own platform. */
export function abilitiesFor(oci: string | null, queue: string, context: Context): readonly Ability[] {
  const machine = machineOf(queue, context);
  return oci === null || machine === null || machine === oci ? [] : ['emulated'];
}
