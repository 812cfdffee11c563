import type { Ability } from '../model/worker.js';
import type { Context } from './context.js';

/** OCI platform of what is made for a platform; null where there are no containers of it. */
export const ociOf = (platform: string | undefined, context: Context): string | null =>
  context.facts.platforms[platform ?? '']?.oci ?? null;

/** OCI platform of the machines that serve a queue, which is named after them; null where its name does not tell. */
export const machineOf = (queue: string, context: Context): string | null => ociOf(queue, context);

/** Platforms of the file that have containers, in its order; the first where several have the same: an older C library makes no other
 * container. */
export function ociPlatforms(context: Context): readonly string[] {
  const first = new Map<string | null, string>();
  for (const platform of [...context.platforms].reverse()) first.set(ociOf(platform, context), platform);
  first.delete(null);
  return context.platforms.filter((platform) => first.get(ociOf(platform, context)) === platform);
}

/** Returns the abilities that a queue needs to run an OCI platform. Empty if the platform is its own. */
export function abilitiesFor(oci: string | null, queue: string, context: Context): readonly Ability[] {
  const machine = machineOf(queue, context);
  return oci === null || machine === null || machine === oci ? [] : ['emulated'];
}
