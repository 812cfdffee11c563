import { short, type Digest } from '../../../model/digest.js';
import type { Problem } from '../../../model/failure.js';
import type { NativeRef } from '../../../model/params.js';

export const nativeAbsent = (step: string, glob: string): Problem => ({
  code: 'NATIVE_ABSENT',
  class: 'product',
  message: `${step} ended with status 0 and left no library that matches ${glob}`,
  next: 'Let the command write it there, or correct `libraries:`; {out} is the folder for results.',
});

export const nativeTwice = (step: string, file: string): Problem => ({
  code: 'NATIVE_TWICE',
  class: 'product',
  message: `${step} left two libraries called ${file}, and one folder of the JAR holds them all`,
  next: 'Let `libraries:` name one of them, or give them different names.',
});

export const notNative = (step: string, file: string): Problem => ({
  code: 'NOT_NATIVE',
  class: 'product',
  message: `${step}: ${file} is no native library: neither ELF, nor Mach-O, nor PE`,
  next: 'Let `libraries:` name libraries alone; a link is not followed.',
});

export const nativeMissing = (jar: string, missing: readonly NativeRef[], waitedMs: number): Problem => ({
  code: 'NATIVE_MISSING',
  class: 'config',
  message: `${jar}: no JAR, since the libraries of ${missing.map((ref) => ref.for.name).join(' and ')} are not in the store after ${Math.round(waitedMs / 1000)} s`,
  next:
    'Type `slipway run FILE` with the release file that builds them, for this commit and on this store, then start this release again. ' +
    'One that is still at it gets more time by `natives.wait`; to release without a platform, take it out of `natives.platforms`.',
  evidence: missing.map((ref) => `${ref.for.name}: looked for ${ref.path}`),
});

export const nativeMisplaced = (jar: string, platform: string, path: string, folder: string): Problem => ({
  code: 'NATIVE_MISPLACED',
  class: 'config',
  message: `${jar}: the JAR of ${platform} holds ${path}, and its libraries belong into ${folder}/`,
  next: 'Let both pipelines say the same folder: `natives:` of the entry that builds, and of the one that gathers.',
});

export const nativeEmpty = (jar: string, platform: string, path: string): Problem => ({
  code: 'NATIVE_EMPTY',
  class: 'product',
  message: `${jar}: the JAR of ${platform} holds no library (${path})`,
  next: 'See in the log of the pipeline that built it what its `libraries:` named.',
});

export const nativeLost = (jar: string, file: string, paths: readonly string[]): Problem => ({
  code: 'NATIVE_LOST',
  class: 'product',
  message: `${jar}: ${file} was built and does not hold ${paths.join(', ')} as it was handed over`,
  next: 'See in the POM what its JAR leaves out or rewrites (excludes, another outputDirectory, shade); a command finds them in $NATIVES.',
});

export const moduleUnnamed = (jar: string, modules: readonly string[]): Problem => ({
  code: 'NATIVE_MODULE_UNNAMED',
  class: 'config',
  message: `${jar} has several modules, and nothing says which of them takes the native libraries`,
  next: `Write \`natives: { module: NAME }\`; there are ${modules.join(', ') || 'those of its POM'}.`,
});

export const moduleAbsent = (jar: string, module: string): Problem => ({
  code: 'NATIVE_MODULE_ABSENT',
  class: 'config',
  message: `${jar}: the source has no pom.xml in ${module}, the module that takes the native libraries`,
  next: 'Correct `natives.module`; it is relative to `folder:`.',
});

export const noMainJar = (jar: string, found: readonly string[]): Problem => ({
  code: 'NO_MAIN_JAR',
  class: 'config',
  message: `${jar} left ${found.length} main JARs (${found.join(', ') || 'none'}), and its natives belong to exactly one`,
  next: 'Name the module that takes them: `natives: { module: NAME }`.',
});

export const otherNative = (path: string, there: Digest, ours: Digest): string =>
  `${path} holds ${short(there)} of an earlier run; this run goes on with its own ${short(ours)}\n`;

export const namesBuilder = (step: string, library: string, why: string): Problem => ({
  code: 'NATIVE_NAMES_BUILDER',
  class: 'product',
  message: `${step}: ${library} ${why}`,
  next: library.endsWith('.dylib')
    ? `Link it with -Wl,-install_name,@rpath/${library}: without it a macOS library carries the path that it was linked to.`
    : 'Compile with -ffile-prefix-map=$PWD=., and link without a run path into the build.',
});
