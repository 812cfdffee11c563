import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Env } from '../../model/params.js';
import { quoted } from '../../model/quoted.js';
import { talkOf } from '../images/staged.js';
import { envInside } from '../step/confine.js';
import { newFolder } from '../step/inside.js';
import { samePaths, imageOf } from '../steps/where.js';
import { noEngineHere } from '../tests/errors.js';
import { toolsFolder } from '../tools-folder.js';
import type { Work } from '../work.js';
import type { BuildEnv } from './build-env.js';
import { pythonNotMounted } from './errors.js';
import type { OutsideEngine, WheelPorts } from './ports.js';

type Build = Work<'buildWheel'>;

/** Variables that only apply on the worker; the container has its own. */
const OUR_OWN = ['PATH', 'HOME', 'TMPDIR', 'JAVA_HOME', 'VIRTUAL_ENV'];

/** Runs cibuildwheel in a container of the step's base, which need not be a manylinux image: the worker's Python, uv
 * and certificates are mounted at the expected paths. Repair, checks and tests are separate. Returns the exit status.
 * @param vars extends the build's environment */
export async function runCibuildwheel(
  work: Build,
  ports: WheelPorts,
  env: BuildEnv,
  paths: { readonly tree: string; readonly cwd: string; readonly out: string },
  vars: Env,
): Promise<number> {
  const { where, for: platform, interpreter } = work.step.params;
  if (ports.outside === undefined || where.in === 'host') throw fail(noEngineHere(work.step.id));
  if (/^\/usr(\/local)?$/.test(env.interpreter.prefix)) throw fail(pythonNotMounted(env.interpreter.tag));
  // cibuildwheel's isolated builds download from the index.
  work.reached('container', true);
  const image = imageOf(work, where.base);
  await ports.outside.pullIfMissing(image.name, image.oci, talkOf(work));
  const mark = ports.outside.mark();
  const settings = {
    DOCKER_HOST: ports.outside.address(),
    CIBW_BUILD: `${interpreter ?? env.interpreter.tag}-manylinux_${platform.arch}`,
    [`CIBW_MANYLINUX_${platform.arch.toUpperCase()}_IMAGE`]: image.name,
    CIBW_CONTAINER_ENGINE: `docker; create_args: ${(await createArguments(work, env, mark.labels, ports.outside)).map(quoted).join(' ')}; disable_host_mount: true`,
    CIBW_BUILD_FRONTEND: work.paths.inside(frontend(env)),
    CIBW_ENVIRONMENT_LINUX: environmentText(envInside(work.env(vars), work.paths.inside)),
    CIBW_DEPENDENCY_VERSIONS: 'latest',
    CIBW_REPAIR_WHEEL_COMMAND_LINUX: '',
    CIBW_TEST_SKIP: '*',
    CIBW_CACHE_PATH: join(work.folder, 'cibuildwheel', 'cache'),
  };
  const argv = ['cibuildwheel', '--platform', 'linux', '--archs', platform.arch, '--output-dir', paths.out];
  try {
    const line = [...argv, relative(paths.tree, paths.cwd) || '.'];
    return (await work.exec(line, { cwd: paths.tree, env: work.env(settings), unconfined: true })).code;
  } finally {
    await mark.remove();
  }
}

/** A lock constrains the isolated build, each package by hash. */
const frontend = ({ locks }: BuildEnv): string =>
  locks.length === 0
    ? 'uv'
    : `uv; args: ${locks
        .flatMap((file) => ['--build-constraints', file])
        .map(quoted)
        .join(' ')} --require-hashes`;

async function createArguments(
  work: Build,
  { interpreter }: BuildEnv,
  labels: Readonly<Record<string, string>>,
  { mount }: Pick<OutsideEngine, 'mount'>,
): Promise<readonly string[]> {
  const { python, bin } = await expectedFolders(work, interpreter);
  const mounts = [
    ...samePaths(work, [interpreter.prefix]),
    { host: python, path: '/opt/python', writable: false },
    { host: bin, path: '/usr/local/bin', writable: false },
  ];
  const all = { ...labels, 'slipway.run': work.run, 'slipway.step': work.step.id };
  return [
    // A raw socket would read the secrets that others send on loopback.
    ...['--network', 'host', '--cap-drop', 'NET_RAW'],
    ...mounts.flatMap(mount),
    ...Object.entries(all).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
  ];
}

/** Provides what a manylinux image has and a plain one lacks: uv, and Pythons under /opt/python. cibuildwheel's helper
 * asks for cp39; any Python works. */
async function expectedFolders(work: Build, { tag, prefix }: BuildEnv['interpreter']) {
  const folder = newFolder(work, 'cibuildwheel');
  const [python, bin] = [join(folder, 'python'), join(folder, 'bin')];
  for (const one of [python, bin]) await mkdir(one, { recursive: true });
  for (const name of new Set([`${tag.replace(/t$/, '')}-${tag}`, 'cp39-cp39']))
    await symlink(prefix, join(python, name));
  await writeFile(join(bin, 'uv'), `#!/bin/sh\nexec ${quoted(join(toolsFolder(work.env()), 'uv'))} "$@"\n`);
  await chmod(join(bin, 'uv'), 0o755);
  return { python, bin };
}

const environmentText = (env: Env): string =>
  Object.entries(env)
    .filter(([name]) => !OUR_OWN.includes(name))
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(' ');
