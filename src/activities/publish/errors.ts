import { problem } from '../../model/problem.js';
import { short, type Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import type { Unlisted } from '../index/why-unlisted.js';

export interface Served {
  readonly target: string;
  readonly project: string;
  readonly version: string;
}

export const otherBytes = problem.conflict((target: string, name: string, seen: Digest, ours: Digest) => [
  'OTHER_BYTES',
  `${target} already holds ${name} with ${short(seen)}; this release has ${short(ours)}`,
  'A published name gets other bytes only from a rehearsal, in place of an ended one with another plan. Raise `release.version`, then start the release again; `slipway cancel` ends this run.',
  { path: 'release.version', details: { target, name, seen, ours } },
]);

/** First publisher wins: the bytes that the index holds may be in use. */
export const notReproducible = (target: string, name: string, ours: Digest): Finding => ({
  level: 'warning',
  code: 'NOT_REPRODUCIBLE',
  subject: name,
  why: `${target} holds other bytes under this name, and they stay; this run built ${short(ours)}`,
  next: 'Compare both wheels, for instance by diffoscope. Other bytes need another version.',
});

/** @param hasLists the plan has rows of an import, which gives such a wheel the next build number */
const ENTRY_FIRST =
  'Type `slipway cache check FILE --repair`: it writes the entry if the wheel has its statement. Else remove the file, then type `slipway run FILE`.';
const NUMBER_NEXT: Readonly<Record<Exclude<Unlisted['by'], 'entry'>, string>> = {
  person: 'Raise `epochs` of the wheel in the release file, then `slipway run FILE`: it gets the next build number.',
  other: 'Type `slipway run FILE`: it gets the next build number.',
};

export const nameUsed = problem.config(
  (
    { target, name, ours }: { readonly target: string; readonly name: string; readonly ours: Digest },
    { why, by }: Unlisted,
    hasLists: boolean,
  ) => [
    'INDEX_NAME_USED',
    `${target} does not list ${name}: ${why}; this run built other bytes (${short(ours)}), and a name never gets other bytes`,
    by === 'entry'
      ? ENTRY_FIRST
      : hasLists
        ? NUMBER_NEXT[by]
        : 'Raise `release.version`, then start the release again.',
  ],
);
export const homeLoginAbsent = problem.denied(
  ({ name, address }: { readonly name: string; readonly address: string }) => [
    'HOME_LOGIN_ABSENT',
    `${name} is ${address}, a service of the home, and this worker has no login of the home for it; the password of a profile goes to no such service`,
    'Copy keys/publish.key from the home that runs the service to the keys of this worker, then start the worker again (docs/workers.md#keys). Give the row an https address instead if another server is meant.',
  ],
);
export const notSealed = problem.bug((name: string, digest: Digest) => [
  'NOT_SEALED',
  `${name} (${short(digest)}) is not in the sealed manifest, so it is not published`,
  'Nothing was uploaded. Please report this with the output of `slipway plan --json`.',
]);
export const sealedBytesGone = problem.product((name: string, digest: Digest) => [
  'SEALED_BYTES_GONE',
  `the store no longer has the sealed bytes of ${name} (${short(digest)}): they were altered or removed after they were tested`,
  'Nothing was uploaded. Start the release again: it makes, tests and seals them again. Altered bytes are kept in `quarantine/` of the store.',
]);
export const nothingToPublish = problem.config((target: string, takes: readonly string[]) => [
  'NOTHING_TO_PUBLISH',
  `publish.${target}: none of its files is a ${takes.join(' or ')}`,
  `Let publish.${target}.files name what was built, or take the target out.`,
  { path: `publish.${target}.files` },
]);
export const sameNameTwice = problem.config((target: string, name: string, steps: readonly string[]) => [
  'SAME_NAME_TWICE',
  `publish.${target}: ${name} would be published with different bytes by ${steps.join(' and ')}`,
  'Give each variant a name of its own: an axis in the tag, or fewer files in the target.',
  { path: `publish.${target}.files` },
]);
export const notVisible = problem.infra((target: string, name: string, because: string) => [
  'NOT_VISIBLE',
  `${target} took the upload of ${name} but does not show it: ${because}`,
  'The target is asked again by itself; if it stays so, read its own log.',
]);

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

export const fileTooLarge = problem.config((target: string, name: string, bytes: number, mostMiB: number) => [
  'FILE_TOO_LARGE',
  `${target} takes files of at most ${mostMiB} MiB; ${name} has ${mib(bytes)}`,
  'Nothing was uploaded. Make it smaller, or have the limit raised there and then `maxFileMiB` of the target in the profile.',
  { details: { target, name, bytes } },
]);
export const releaseTooLarge = problem.config((target: string, bytes: number, mostMiB: number) => [
  'RELEASE_TOO_LARGE',
  `${target} has room for ${mostMiB} MiB of this release; it has ${mib(bytes)}`,
  'Nothing was uploaded. Make room there, then raise `maxTotalMiB` of the target in the profile.',
  { details: { target, bytes } },
]);
export const diskOfTargetShort = problem.infra((bytes: number, freeMiB: number) => [
  'TARGET_DISK_SHORT',
  `what goes to registries of this machine has ${mib(bytes)}, and its disk has ${freeMiB} MiB left`,
  'Nothing was uploaded. Free space on the disk of SLIPWAY_HOME; the step tries again by itself for a while.',
]);
export const versionExists = problem.config((target: string, version: string, names: readonly string[]) => [
  'VERSION_EXISTS',
  `${target} already holds version ${version}, and not from here: ${names.join(', ')}`,
  'Raise `release.version`; a published version is never replaced.',
  { path: 'release.version' },
]);
/** @param of `test` if the release file's own line ran: its failure is about the product */
export const verifyFailed = problem.product(
  (
    { target, project, version }: Served,
    line: string,
    code: number,
    tail: readonly string[],
    of: 'test' | 'command' = 'command',
  ) => [
    'VERIFY_FAILED',
    `${project} ${version} from ${target} does not pass: ${line} ended with exit status ${code}`,
    missingModule(tail) ??
      'The files are published and stay. Fix the product under a new version, or correct `verify` of this target if it is wrong.',
    { evidence: tail, details: { exitCode: code, of } },
  ],
);
/** @param from id of the step that published it */
export const wheelPruned = problem.config(
  (target: string, file: string, { by, because }: { readonly by: string; readonly because: string }, from: string) => [
    'WHEEL_PRUNED',
    `${file} was taken from ${target} by ${by} after this run had published it: ${because}`,
    `\`slipway retry --from ${from}\` lists it again.`,
  ],
);

/** A listed wheel that cannot be installed or imported.
 * @param how what does not work */
export const wheelUnusable = problem.product(
  (
    { target, project, version }: Served,
    how: string,
    exitCode: number,
    tail: readonly string[],
    of: 'test' | 'command' = 'command',
  ) => [
    'WHEEL_UNUSABLE',
    `the wheel of ${project} ${version} in ${target} cannot be used: ${how}`,
    'Read its lines in `slipway logs STEP`. The wheel stays listed. Add a library that it lacks to `packages` of its recipe under `with`, or correct its build there.',
    { evidence: tail, details: { exitCode, of } },
  ],
);

/** Explains a missing Python module, or returns null. The line runs with the release's own requirements only, without a
 * lock. */
function missingModule(tail: readonly string[]): string | null {
  const module = /ModuleNotFoundError: No module named '([\w.]+)'/.exec(tail.join('\n'))?.[1];
  if (module === undefined) return null;
  return `The files are published and stay. Who installs them gets no ${module}: add its project to the product's own requirements and raise the version. If users bring it themselves, write a \`verify\` for this target that does without it.`;
}

export const verifyOtherBytes = problem.conflict((target: string, name: string, why: string) => [
  'VERIFY_OTHER_BYTES',
  `${name} from ${target} is not what was sealed: ${why}`,
  'The target was changed after the upload. Compare it by hand before anyone installs from it.',
]);
export const nothingToVerify = problem.bug((target: string) => [
  'NOTHING_TO_VERIFY',
  `the check of ${target} has no published artifacts among its inputs`,
  'Please report this with the output of `slipway plan --json`.',
]);
export const pointerUnsupported = problem.config((target: string, kind: string) => [
  'POINTER_UNSUPPORTED',
  `point: ${target} is a ${kind} target, which has no names that move`,
  'Pointers are tags of container registries; take this entry out of `point:`.',
  { path: 'point' },
]);
export const pointerAmbiguous = problem.config((name: string, to: string, found: number) => [
  'POINTER_AMBIGUOUS',
  `point ${name}: ${to} names ${found} images, a pointer needs exactly one`,
  'Pick one variant: `to: images/NAME[axis=value]`.',
  { path: 'point' },
]);
export const pointerNotMoved = problem.infra((name: string, seen: string, wanted: string) => [
  'POINTER_NOT_MOVED',
  `${name} was set to ${short(wanted)} but reads ${short(seen)}`,
  'Another program may be moving it too; the step tries again by itself.',
]);
