import { linesOf } from './read.js';

/** The build argument by which BuildKit keeps the cache mounts of builds apart. Each build gets a value of its own that no other one knows. */
export const CACHE_NAMESPACE = 'BUILDKIT_CACHE_MOUNT_NS';

/** Returns the line of a Dockerfile that names this argument: its value would make each image another one. Null without one. */
export function namespaceLine(text: string): number | null {
  const index = linesOf(text).findIndex((line) => line.includes(CACHE_NAMESPACE));
  return index < 0 ? null : index + 1;
}
