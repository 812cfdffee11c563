import type { Problem } from '../model/failure.js';
import type { NativeRef } from '../model/params.js';

export interface NativeFile {
  readonly platform: string;
  /** From the JAR's root: `native/linux-x86_64/libskiff.so`. */
  readonly path: string;
}

/** Two platforms have the same path. One would overwrite the other, and a user would load the wrong machine's library. */
export const nativeCollision = (jar: string, a: NativeFile, b: NativeFile): Problem => ({
  code: 'NATIVE_COLLISION',
  class: 'config',
  message: `${jar} cannot hold ${a.path} of ${a.platform} and ${b.path} of ${b.platform}: both are one file`,
  next: "Give each platform a place of its own: `natives: 'native/{native}'`, or `'native/{platform}'` where two share that word.",
});

/** Finds files of different platforms with the same path, each pair once. The comparison ignores case, because Windows
 * and macOS do when they unpack a JAR. */
export function collisions(jar: string, files: readonly NativeFile[]): readonly Problem[] {
  const seen = new Map<string, NativeFile>();
  return files.flatMap((file) => {
    const key = file.path.toLowerCase();
    const first = seen.get(key);
    if (!first) seen.set(key, file);
    return first && first.platform !== file.platform ? [nativeCollision(jar, first, file)] : [];
  });
}

/** A native library before it is built. */
export interface Planned extends NativeRef {
  /** Last parts of the globs: `libskiff.so`, `libskiff.*`. */
  readonly names: readonly string[];
}

/** Finds collisions before the build: an exact file name on any system, a pattern on the same system. */
export function plannedCollisions(jar: string, refs: readonly Planned[]): readonly Problem[] {
  const files = refs.flatMap(({ for: { name: platform, os }, folder, names }) =>
    names.map((name) => ({ platform, path: `${folder}/${name}`, os: /[*?[{]/.test(name) ? os : '' })),
  );
  return [...new Set(files.map(({ os }) => os))].flatMap((os) =>
    collisions(
      jar,
      files.filter((file) => file.os === os),
    ),
  );
}

/** Finds classifiers that two platforms share. */
export function sharedClassifiers(jar: string, refs: readonly NativeRef[]): readonly Problem[] {
  return collisions(
    jar,
    refs.map(({ for: { name: platform, native } }) => ({ platform, path: `${jar}-${native}.jar` })),
  );
}
