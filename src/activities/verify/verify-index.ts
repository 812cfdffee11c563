import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { verifyFailed, verifyOtherBytes } from '../publish/errors.js';
import { newFolder } from '../step/inside.js';
import { makeVenv } from '../step/uv.js';
import { IMPORT, pinned, roundsOf, type ListedWheel } from './index-files.js';
import { mustPass, servedBy, type Verify } from './pass.js';

/** Installs what this run listed for one platform, from the index alone, by uv and by pip, without dependencies and by
 * digest. Then imports it, or runs the line. */
export async function verifyIndex(verify: Verify): Promise<string> {
  const { work, items, target } = verify;
  const platform = work.step.axes['platform']!;
  const index = `${(await target.source()).address}${platform}/simple/`;
  const python = interpreter(verify);
  const rounds = roundsOf(items, platform);
  for (const [at, wheels] of rounds.entries()) {
    const list = join(newFolder(work, `round-${at}`), 'wheels.txt');
    await writeFile(list, pinned(wheels));
    await byUv(verify, { python, index, list, wheels });
    await byPip(verify, { python, index, list, wheels });
  }
  return `${rounds.flat().length} installed from ${platform} by uv and by pip, and imported`;
}

interface Install {
  readonly python: string;
  readonly index: string;
  readonly list: string;
  readonly wheels: readonly ListedWheel[];
}

const ALONE = ['--no-deps', '--require-hashes', '--only-binary', ':all:'];

async function byUv(verify: Verify, { python, index, list, wheels }: Install): Promise<void> {
  const { work } = verify;
  const venv = join(newFolder(work, 'by-uv'), 'venv');
  await makeVenv(work, python, venv);
  const path = [join(venv, 'bin'), work.env()['PATH'] ?? ''].join(delimiter);
  const env = work.env({ VIRTUAL_ENV: venv, PATH: path });
  const argv = ['uv', 'pip', 'install', '-q', '--no-config', '--no-cache', ...ALONE, '-r', list];
  await install(verify, 'uv pip install', argv, { ...env, UV_DEFAULT_INDEX: index });
  await use(verify, 'python', env, wheels);
}

async function byPip(verify: Verify, { python, index, list, wheels }: Install): Promise<void> {
  const { work } = verify;
  const folder = join(newFolder(work, 'by-pip'), 'site');
  const options = ['-q', '--isolated', '--no-cache-dir', '--disable-pip-version-check', '--target', folder];
  const argv = [python, '-m', 'pip', 'install', ...options, ...ALONE, '--index-url', index, '-r', list];
  await install(verify, 'pip install', argv, work.env());
  await use(verify, python, work.env({ PYTHONPATH: folder }), wheels);
}

async function install(
  { work, to }: Verify,
  said: string,
  argv: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  const { code } = await work.exec(argv, { env, access: 'resolve' });
  if (code === 0) return;
  const tail = work.log.tail(20);
  const differs = /hash mismatch|do not match the hashes/i.test(tail.join('\n'));
  const served = servedBy({ work, to });
  throw fail(
    differs
      ? verifyOtherBytes(to.name, 'a wheel', `${said} found another digest`)
      : verifyFailed(served, said, code, tail),
  );
}

/** Imports the wheels, in an empty folder so that no source is imported by accident. */
async function use(
  verify: Verify,
  python: string,
  env: Record<string, string>,
  wheels: readonly ListedWheel[],
): Promise<void> {
  const { work } = verify;
  const cwd = newFolder(work, 'elsewhere');
  const { run } = work.step.params;
  if (run !== null) return mustPass(verify, run, cwd, env);
  const { code } = await work.exec([python, '-c', IMPORT, ...wheels.map(({ project }) => project)], { cwd, env });
  if (code !== 0) throw fail(verifyFailed(servedBy(verify), 'importing', code, work.log.tail(20), 'test'));
}

function interpreter({ work }: Verify): string {
  const tag = work.step.params.python ?? 'cp3';
  return (
    work.toolchain?.pythons[tag] ?? tag.replace(/^cp3(\d*)$/, (_, minor: string) => `python3${minor && `.${minor}`}`)
  );
}
