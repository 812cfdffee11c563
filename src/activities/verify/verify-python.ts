import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fail, type Problem } from '../../model/failure.js';
import { verifyFailed, verifyOtherBytes, type Served } from '../publish/errors.js';
import type { Source } from '../publish/ports.js';
import { newFolder } from '../step/inside.js';
import { makeVenv } from '../step/uv.js';
import { othersAmong, pythonTags, releasesOf, requirements, type PythonRelease } from './python-files.js';
import { mustPass, servedBy, type Verify } from './pass.js';

/** Installs the release from the target by hash into a fresh venv, and its dependencies from the default index. Then
 * runs the line. */
export async function verifyPython(verify: Verify): Promise<string> {
  const { work, items, target } = verify;
  const releases = releasesOf(items);
  const venv = join(work.folder, 'venv');
  const python = interpreter(verify);
  await makeVenv(work, python.path, venv);
  const env = work.env({ VIRTUAL_ENV: venv, PATH: [join(venv, 'bin'), work.env()['PATH'] ?? ''].join(delimiter) });
  await installRelease(verify, releases, await target.source(), env);
  await installDependencies(verify, releases, env);
  // An empty folder, so that the source or the bundle cannot be imported by accident.
  const cwd = newFolder(work, 'elsewhere');
  await mustPass(verify, work.step.params.run ?? smallestCheck(releases), cwd, env);
  return `${releases.map(({ project, version }) => `${project} ${version}`).join(', ')} installed and run on ${python.tag}`;
}

async function installRelease(
  { work, to }: Verify,
  releases: readonly PythonRelease[],
  index: Source,
  env: Record<string, string>,
): Promise<void> {
  const wheels = releases.filter(({ hasWheel }) => hasWheel);
  const sdists = releases.filter(({ hasWheel }) => !hasWheel);
  const target = { UV_DEFAULT_INDEX: withCredential(index) };
  for (const [group, more] of [
    [wheels, target],
    [sdists, {}],
  ] as const) {
    if (group.length === 0) continue;
    const list = join(newFolder(work, 'release'), 'release.txt');
    await writeFile(list, requirements(group));
    const sealed = ['--no-deps', '--require-hashes', ...group.filter(({ hasWheel }) => hasWheel).flatMap(onlyBinary)];
    const argv = ['uv', 'pip', 'install', '-q', '--no-config', '--no-cache', ...sealed, '-r', list];
    const { code } = await work.exec(argv, { env: { ...env, ...more }, access: 'resolve' });
    if (code !== 0) throw fail(notInstalled(servedBy({ work, to }), group, code, work.log.tail()));
  }
}

const notInstalled = (
  served: Served,
  group: readonly PythonRelease[],
  code: number,
  tail: readonly string[],
): Problem =>
  /hash mismatch/i.test(tail.join('\n'))
    ? verifyOtherBytes(served.target, group.map(({ project }) => project).join(', '), 'uv found a hash mismatch')
    : verifyFailed(served, 'uv pip install', code, tail);

const onlyBinary = ({ project }: PythonRelease): readonly string[] => ['--only-binary', project];

const REQUIRES = `
import importlib.metadata, sys
for name in sys.argv[1:]:
    for line in importlib.metadata.requires(name) or []:
        if 'extra ==' not in line.partition(';')[2]:
            print(line)
`;

async function installDependencies(
  { work, to }: Verify,
  releases: readonly PythonRelease[],
  env: Record<string, string>,
): Promise<void> {
  const said = await work.capture(['python', '-c', REQUIRES, ...releases.map(({ project }) => project)], { env });
  const lines = othersAmong(said.split('\n'), releases);
  if (lines.length === 0) return;
  const list = join(newFolder(work, 'dependencies'), 'dependencies.txt');
  await writeFile(list, `${lines.join('\n')}\n`);
  const { code } = await work.exec(['uv', 'pip', 'install', '-q', '--no-config', '-r', list], {
    env,
    access: 'resolve',
  });
  if (code !== 0)
    throw fail(verifyFailed(servedBy({ work, to }), 'installing its dependencies', code, work.log.tail()));
}

/** Returns the Python of the release file, else the first proven Python with a wheel. */
function interpreter({ work, items }: Verify): { tag: string; path: string } {
  const proven = work.toolchain?.pythons ?? {};
  const wheels = pythonTags(items);
  const asked = work.step.params.python;
  const tag = asked ?? wheels.find((one) => one in proven) ?? wheels[0] ?? Object.keys(proven)[0] ?? 'cp3';
  return {
    tag,
    path: proven[tag] ?? tag.replace(/^cp3(\d*)$/, (_, minor: string) => (minor === '' ? '3' : `3.${minor}`)),
  };
}

const smallestCheck = (releases: readonly PythonRelease[]): string =>
  releases
    .map(
      ({ project, version }) =>
        `python -c "import importlib.metadata as m; assert m.version('${project}') == '${version}'"`,
    )
    .join('\n');

/** Used in the environment only, since process lists show arguments. */
function withCredential({ address, credential }: Source): string {
  if (credential === null) return address;
  const url = new URL(address);
  url.username = encodeURIComponent(credential.username);
  url.password = encodeURIComponent(credential.password);
  return url.href;
}
