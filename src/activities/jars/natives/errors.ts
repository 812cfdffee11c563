import { problem } from '../../../model/problem.js';
import { short, type Digest } from '../../../model/digest.js';
import type { NativeRef } from '../../../model/params.js';

export const nativeAbsent = problem.product((step: string, glob: string) => [
  'NATIVE_ABSENT',
  `${step} ended with status 0 and left no library that matches ${glob}`,
  'Let the command write it there, or correct `libraries:`; {out} is the folder for results.',
]);
export const nativeTwice = problem.product((step: string, file: string) => [
  'NATIVE_TWICE',
  `${step} left two libraries called ${file}, and one folder of the JAR holds them all`,
  'Let `libraries:` name one of them, or give them different names.',
]);
export const notNative = problem.product((step: string, file: string) => [
  'NOT_NATIVE',
  `${step}: ${file} is no native library: neither ELF, nor Mach-O, nor PE`,
  'Let `libraries:` name libraries alone; a link is not followed.',
]);
export const nativeMissing = problem.config((jar: string, missing: readonly NativeRef[], waitedMs: number) => [
  'NATIVE_MISSING',
  `${jar}: no JAR, since the libraries of ${missing.map((ref) => ref.for.name).join(' and ')} are not in the store after ${Math.round(waitedMs / 1000)} s`,
  'Type `slipway run FILE` with the release file that builds them, for this commit and on this store, then start this release again. ' +
    'One that is still at it gets more time by `natives.wait`; to release without a platform, take it out of `natives.platforms`.',
  { evidence: missing.map((ref) => `${ref.for.name}: looked for ${ref.path}`) },
]);
export const nativeMisplaced = problem.config((jar: string, platform: string, path: string, folder: string) => [
  'NATIVE_MISPLACED',
  `${jar}: the JAR of ${platform} holds ${path}, and its libraries belong into ${folder}/`,
  'Let both pipelines say the same folder: `natives:` of the entry that builds, and of the one that gathers.',
]);
export const nativeEmpty = problem.product((jar: string, platform: string, path: string) => [
  'NATIVE_EMPTY',
  `${jar}: the JAR of ${platform} holds no library (${path})`,
  'See in the log of the pipeline that built it what its `libraries:` named.',
]);
export const nativeLost = problem.product((jar: string, file: string, paths: readonly string[]) => [
  'NATIVE_LOST',
  `${jar}: ${file} was built and does not hold ${paths.join(', ')} as it was handed over`,
  'See in the POM what its JAR leaves out or rewrites (excludes, another outputDirectory, shade); a command finds them in $NATIVES.',
]);
export const moduleUnnamed = problem.config((jar: string, modules: readonly string[]) => [
  'NATIVE_MODULE_UNNAMED',
  `${jar} has several modules, and nothing says which of them takes the native libraries`,
  `Write \`natives: { module: NAME }\`; there are ${modules.join(', ') || 'those of its POM'}.`,
]);
export const moduleAbsent = problem.config((jar: string, module: string) => [
  'NATIVE_MODULE_ABSENT',
  `${jar}: the source has no pom.xml in ${module}, the module that takes the native libraries`,
  'Correct `natives.module`; it is relative to `folder:`.',
]);
export const noMainJar = problem.config((jar: string, found: readonly string[]) => [
  'NO_MAIN_JAR',
  `${jar} left ${found.length} main JARs (${found.join(', ') || 'none'}), and its natives belong to exactly one`,
  'Name the module that takes them: `natives: { module: NAME }`.',
]);

export const otherNative = (path: string, there: Digest, ours: Digest): string =>
  `${path} holds ${short(there)} of an earlier run; this run goes on with its own ${short(ours)}\n`;

export const namesBuilder = problem.product((step: string, library: string, why: string) => [
  'NATIVE_NAMES_BUILDER',
  `${step}: ${library} ${why}`,
  library.endsWith('.dylib')
    ? `Link it with -Wl,-install_name,@rpath/${library}: without it a macOS library carries the path that it was linked to.`
    : 'Compile with -ffile-prefix-map=$PWD=., and link without a run path into the build.',
]);
