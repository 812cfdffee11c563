import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { jsonIn } from '../../model/json.js';
import type { OwnLock } from '../../model/wheel-params.js';
import { newFolder, readInside, writeInside } from '../step/inside.js';
import { installLocks, installPinned, makeVenv } from '../step/uv.js';
import { toolsFolder } from '../tools-folder.js';
import type { Work } from '../work.js';
import type { BuildEnv } from './build-env.js';
import { ownEnv, type BuildLocation } from './builders.js';
import { buildRequiresFailed, buildUnsolvable } from './errors.js';

type Build = Work<'buildWheel'>;

/** Writes the build requirements of a tree. `static` are those of pyproject.toml. `hook` asks the backend for more,
 * which runs its code in the build environment. */
const ASK = String.raw`
import json, sys
from build import ProjectBuilder
what, tree, python, to = sys.argv[1:]
builder = ProjectBuilder(tree, python_executable=python)
said = builder.build_system_requires if what == "static" else builder.get_requires_for_build("wheel")
with open(to, "w") as file:
    json.dump(sorted(said), file)
`;

/** An environment with its lock. */
export interface Locked {
  readonly env: BuildEnv;
  readonly lock: string;
}

/** Locks what the build backend of a project asks for, and installs that. First the requirements of pyproject.toml, then
 * those that the backend adds. Throws BUILD_REQUIRES_FAILED and BUILD_UNSOLVABLE. */
export async function lockOwn(
  work: Build,
  place: BuildLocation,
  env: BuildEnv,
  project: string,
  { requires, cutoff }: OwnLock,
): Promise<Locked> {
  const folder = newFolder(work, 'own-lock');
  const python = await askingPython(work, env);
  const ask = async (what: 'static' | 'hook'): Promise<readonly string[]> => {
    const to = join(folder, `${what}.json`);
    const code = await place.run([python, '-c', ASK, what, project, env.python, to], {
      cwd: project,
      env: work.env({ ...env.env, ...ownEnv(work, folder) }),
    });
    if (code !== 0) throw fail(buildRequiresFailed(work.step.params.project, work.log.tail()));
    return requirementsIn(readInside(work, to, MOST_BYTES), work.step.params.project);
  };
  const lock = join(folder, nameOf(work));
  const take = async (wanted: readonly string[], isFilled: boolean): Promise<void> => {
    await compile(work, env, [...new Set(wanted)].sort(), cutoff, lock);
    await installLocks(work, { python: env.python, isFilled }, [lock]);
  };
  const said = [...(await ask('static')), ...requires];
  await take(said, false);
  const more = await ask('hook');
  if (more.length > 0) await take([...said, ...more], true);
  return { env: { ...env, locks: [lock], locked: true }, lock };
}

const MOST_BYTES = 1024 * 1024;
/** A line of another form is an option of uv, such as another index. uv fills in `${NAME}` from the worker's environment. */
const REQUIREMENT = /^[A-Za-z0-9](?!.*\$\{)[^\\\p{Cc}]*$/u;

/** Reads what the backend asks for, which is a list of the project's own making. Throws BUILD_REQUIRES_FAILED. */
function requirementsIn(text: string, project: string): readonly string[] {
  const said = listIn(text);
  if (said === null) throw fail(buildRequiresFailed(project, ['the backend left no list of requirements']));
  const strange = said.filter((one) => !REQUIREMENT.test(one)).slice(0, 20);
  if (strange.length === 0) return said;
  const lines = strange.map((one) => `${JSON.stringify(one.slice(0, 200))} is no requirement`);
  throw fail(buildRequiresFailed(project, lines));
}

function listIn(text: string): readonly string[] | null {
  const said = jsonIn(text);
  return Array.isArray(said) && said.every((one) => typeof one === 'string') ? said : null;
}

/** Returns a Python that has PyPA `build`: that of Slipway's tools, or an environment of the container's own Python. */
async function askingPython(work: Build, { interpreter }: BuildEnv): Promise<string> {
  if (!work.step.params.ownPython) return join(toolsFolder(work.env()), 'python');
  const folder = join(work.folder, 'asking');
  const python = join(folder, 'bin', 'python');
  await makeVenv(work, interpreter.path, folder);
  await installPinned(work, { python, isFilled: false }, 'build', 'pyproject-build');
  return python;
}

/** The lock is a file of its own for each variant of the wheel. */
function nameOf({ step: { params } }: Build): string {
  const { project, version, python, interpreter, for: platform } = params;
  return `${[project, version, python ?? interpreter, platform.name].filter((part) => part !== null).join('-')}.build.txt`;
}

async function compile(
  work: Build,
  { python }: BuildEnv,
  requires: readonly string[],
  cutoff: string | null,
  to: string,
): Promise<void> {
  const from = `${to}.in`;
  // The backend's code has run, and may write into this folder.
  writeInside(work, from, `${requires.join('\n')}\n`);
  const argv = [
    ...['uv', 'pip', 'compile', '--no-config', '--quiet', '--generate-hashes', '--no-header', '--no-annotate'],
    ...['--python', python, ...(cutoff === null ? [] : ['--exclude-newer', cutoff])],
    ...['--output-file', to, from],
  ];
  const { code } = await work.exec(argv, { access: 'resolve' });
  if (code !== 0) throw fail(buildUnsolvable(work.step.params.project, requires, work.log.tail()));
}
