import type { Problem } from '../../../model/failure.js';
import { problem } from '../../../model/problem.js';

type Lines = readonly string[];

export const environmentLost = problem.config((step: string, file: string) => [
  'ENVIRONMENT_LOST',
  `the plan of ${step} does not have ${file}`,
  'Start the run again from the release file.',
]);
export const spackOld = problem.config((found: string, wanted: string) => [
  'SPACK_OLD',
  `the worker has Spack ${found}, and binaries of specs need ${wanted} or newer`,
  'Set SLIPWAY_SPACK to a newer checkout, and start the worker again.',
]);
export const spackDiffers = problem.config((queue: string, spack: string, commit: string | null, wanted: string) => [
  'SPACK_DIFFERS',
  `workers of ${queue} have Spack ${spack} (${commit ?? 'without a commit: the checkout is no git repository'}), and the environment asks for ${wanted}`,
  `Set SLIPWAY_SPACK there to a checkout of ${wanted} and start the workers again (\`slipway up\`, or \`slipway worker start\`), or correct the key "spack" of the import.`,
]);
export const recipeDiffers = problem.config((spec: string, found: string, locked: string) => [
  'RECIPE_DIFFERS',
  `the recipe of ${spec} has the hash ${found}, and the lock was written for ${locked}`,
  'Lock the environment again (`slipway env lock`) and commit spack.lock, or put the recipe back.',
]);
export const recipeUnread = problem.config((spec: string, why: string) => [
  'RECIPE_UNREAD',
  `Spack cannot load the recipe of ${spec}: ${why}`,
  'Add its repository under `recipes`, or on the worker to SLIPWAY_SPACK_REPOS.',
]);
export const proofUnread = problem.product((why: string) => [
  'SPECS_NOT_PROVED',
  `Spack gave no hashes of recipes: ${why}`,
  'Read the log: a recipe may have written to its output.',
]);

/** Spack prints this if an environment cannot be concretized: no recipe failed. */
const UNSOLVED = /failed to concretize|no compilers? (with spec|found)|is unsatisfiable/i;

export const specFailed = (spec: string, code: number, lines: Lines): Problem => ({
  code: 'SPEC_FAILED',
  class: UNSOLVED.test(lines.join('\n')) ? 'config' : 'product',
  message: `Spack could not build ${spec} (exit status ${code})`,
  next: 'Read the log of the step; fix the recipe, type `slipway env lock`, and commit both.',
  evidence: lines,
  details: { exitCode: code },
});
/** No `exitCode`: signs in the output would name the class again. */
export const sourceRefused = problem.config((spec: string, lines: Lines) => [
  'NETWORK_REFUSED',
  `no source mirror of the worker has the source of ${spec}, and the step has no network`,
  'Put the file into a source mirror, name it in SLIPWAY_SPACK_SOURCES and start the workers again (`slipway up`), or write `network: true` under the entry of `environments`.',
  { evidence: lines },
]);
export const specAbsent = problem.product((spec: string, why: string) => [
  'SPEC_ABSENT',
  `Spack ended well and left no binary of ${spec}: ${why}`,
  'Read the log of the step: a recipe may have removed it.',
]);
export const unknownEnvAction = problem.config((action: string) => [
  'ENV_ACTION_UNKNOWN',
  `slipway env does not know ${JSON.stringify(action)}`,
  'Type `slipway env lock`.',
]);
export const noEnvironments = problem.config((file: string) => [
  'NO_ENVIRONMENTS',
  `${file} has no Spack environment of a working tree`,
  'Write an entry under `environments`, and `source.git` with the folder of the working tree.',
]);
export const spackUnset = problem.config(() => [
  'SPACK_UNSET',
  'nothing says where Spack is on this machine',
  'Set SLIPWAY_SPACK to a checkout of Spack 1.0 or newer, and type the command again.',
]);
export const lockNotMade = problem.config((file: string, code: number) => [
  'LOCK_NOT_MADE',
  `Spack could not concretize ${file} (exit status ${code})`,
  'Read its output. It needs clingo in the first python3 on PATH (`pip install clingo`), and a recipe of a compiler in SLIPWAY_SPACK_REPOS.',
]);
/** @param why Spack has no network, and only the files of the working tree */
export const lockNotLocal = problem.config((file: string, why: string) => [
  'LOCK_NOT_LOCAL',
  `${file} cannot be concretized from the working tree alone: ${why}`,
  'Concretize it by `spack -e FOLDER concretize`, and commit spack.lock.',
]);
export const exportUnknown = problem.config((said: string) => [
  'EXPORT_UNKNOWN',
  `slipway export does not know ${JSON.stringify(said)}`,
  'Type `slipway export gitlab`.',
]);
export const exportDialect = problem.config((said: string) => [
  'EXPORT_DIALECT',
  `pipelines are written as Spack 1.2 writes them, and not as ${JSON.stringify(said)} does`,
  'Leave `--like` out, or type `--like 1.2`.',
]);
export const exportWhich = problem.config((names: readonly string[], said: string | undefined) => [
  'EXPORT_WHICH',
  `a pipeline is of one environment, and the release file has ${names.join(', ')}${said === undefined ? '' : `, not ${JSON.stringify(said)}`}`,
  `Type --environment ${names[0]}.`,
]);
