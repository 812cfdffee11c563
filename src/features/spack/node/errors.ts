import type { Problem } from '../../../model/failure.js';

export const environmentLost = (step: string, file: string): Problem => ({
  code: 'ENVIRONMENT_LOST',
  class: 'config',
  message: `the plan of ${step} does not have ${file}`,
  next: 'Start the run again from the release file.',
});

export const spackOld = (found: string, wanted: string): Problem => ({
  code: 'SPACK_OLD',
  class: 'config',
  message: `the worker has Spack ${found}, and binaries of specs need ${wanted} or newer`,
  next: 'Set SLIPWAY_SPACK to a newer checkout, and start the worker again.',
});

export const spackDiffers = (
  queue: string,
  { spack, commit }: { readonly spack: string; readonly commit: string | null },
  wanted: string,
): Problem => ({
  code: 'SPACK_DIFFERS',
  class: 'config',
  message: `workers of ${queue} have Spack ${spack} (${commit ?? 'without a commit: the checkout is no git repository'}), and the environment asks for ${wanted}`,
  next: `Set SLIPWAY_SPACK there to a checkout of ${wanted} and start the workers again (\`slipway up\`, or \`slipway worker start\`), or correct the key "spack" of the import.`,
});

export const recipeDiffers = (spec: string, found: string, locked: string): Problem => ({
  code: 'RECIPE_DIFFERS',
  class: 'config',
  message: `the recipe of ${spec} has the hash ${found}, and the lock was written for ${locked}`,
  next: 'Lock the environment again (`slipway env lock`) and commit spack.lock, or put the recipe back.',
});

export const recipeUnread = (spec: string, why: string): Problem => ({
  code: 'RECIPE_UNREAD',
  class: 'config',
  message: `Spack cannot load the recipe of ${spec}: ${why}`,
  next: 'Add its repository under `recipes`, or on the worker to SLIPWAY_SPACK_REPOS.',
});

export const proofUnread = (why: string): Problem => ({
  code: 'SPECS_NOT_PROVED',
  class: 'product',
  message: `Spack gave no hashes of recipes: ${why}`,
  next: 'Read the log: a recipe may have written to its output.',
});

/** Spack prints this if an environment cannot be concretized: no recipe failed. */
const UNSOLVED = /failed to concretize|no compilers? (with spec|found)|is unsatisfiable/i;

export const specFailed = (spec: string, code: number, lines: readonly string[]): Problem => ({
  code: 'SPEC_FAILED',
  class: UNSOLVED.test(lines.join('\n')) ? 'config' : 'product',
  message: `Spack could not build ${spec} (exit status ${code})`,
  next: 'Read the log of the step; fix the recipe, type `slipway env lock`, and commit both.',
  evidence: lines,
  details: { exitCode: code },
});

/** No `exitCode`: signs in the output would name the class again. */
export const sourceRefused = (spec: string, lines: readonly string[]): Problem => ({
  code: 'NETWORK_REFUSED',
  class: 'config',
  message: `no source mirror of the worker has the source of ${spec}, and the step has no network`,
  next: 'Put the file into a source mirror, name it in SLIPWAY_SPACK_SOURCES and start the workers again (`slipway up`), or write `network: true` under the entry of `environments`.',
  evidence: lines,
});

export const specAbsent = (spec: string, why: string): Problem => ({
  code: 'SPEC_ABSENT',
  class: 'product',
  message: `Spack ended well and left no binary of ${spec}: ${why}`,
  next: 'Read the log of the step: a recipe may have removed it.',
});

export const unknownEnvAction = (action: string): Problem => ({
  code: 'ENV_ACTION_UNKNOWN',
  class: 'config',
  message: `slipway env does not know ${JSON.stringify(action)}`,
  next: 'Type `slipway env lock`.',
});

export const noEnvironments = (file: string): Problem => ({
  code: 'NO_ENVIRONMENTS',
  class: 'config',
  message: `${file} has no Spack environment of a working tree`,
  next: 'Write an entry under `environments`, and `source.git` with the folder of the working tree.',
});

export const spackUnset = (): Problem => ({
  code: 'SPACK_UNSET',
  class: 'config',
  message: 'nothing says where Spack is on this machine',
  next: 'Set SLIPWAY_SPACK to a checkout of Spack 1.0 or newer, and type the command again.',
});

export const lockNotMade = (file: string, code: number): Problem => ({
  code: 'LOCK_NOT_MADE',
  class: 'config',
  message: `Spack could not concretize ${file} (exit status ${code})`,
  next: 'Read its output. It needs clingo in the first python3 on PATH (`pip install clingo`), and a recipe of a compiler in SLIPWAY_SPACK_REPOS.',
});

export const exportUnknown = (said: string): Problem => ({
  code: 'EXPORT_UNKNOWN',
  class: 'config',
  message: `slipway export does not know ${JSON.stringify(said)}`,
  next: 'Type `slipway export gitlab`.',
});

export const exportDialect = (said: string): Problem => ({
  code: 'EXPORT_DIALECT',
  class: 'config',
  message: `pipelines are written as Spack 1.2 writes them, and not as ${JSON.stringify(said)} does`,
  next: 'Leave `--like` out, or type `--like 1.2`.',
});

export const exportWhich = (names: readonly string[], said: string | undefined): Problem => ({
  code: 'EXPORT_WHICH',
  class: 'config',
  message: `a pipeline is of one environment, and the release file has ${names.join(', ')}${said === undefined ? '' : `, not ${JSON.stringify(said)}`}`,
  next: `Type --environment ${names[0]}.`,
});
