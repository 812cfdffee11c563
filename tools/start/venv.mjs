import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { noPython } from './problem.mjs';
import { digest, isStamped, stamp } from './stamp.mjs';

const PINNED = ['--require-hashes', '--only-binary', ':all:'];

/** Temporal, uv, auditwheel, twine, devpi …: wheels only, each by hash, in a venv that belongs to this checkout. */
export function venv(root) {
  const folder = join(root, '.tools');
  const requirements = join(root, 'tools', 'requirements.txt');
  const stampFile = join(folder, '.slipway-stamp');
  // A venv cannot be moved: its own place is part of what it is.
  const wanted = () => digest([requirements], [folder, process.arch, process.platform]);
  return {
    title: 'tools (.tools, a Python venv)',
    isThere: () => isStamped(stampFile, wanted()) && existsSync(join(folder, 'bin', 'uv')),
    make: async ({ title, onLine }) => {
      clear(folder);
      const python = join(folder, 'bin', 'python');
      const env = { PYTHONWARNINGS: 'ignore', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...indexForUv() };
      const step = (...argv) => quietly(title, argv, { cwd: root, env, onLine });
      await step(findPython(), '-m', 'venv', folder);
      const uvOnly = join(folder, 'uv.txt');
      writeFileSync(uvOnly, only('uv', readFileSync(requirements, 'utf8')));
      await step(python, '-m', 'pip', 'install', '-q', '--no-deps', ...PINNED, '-r', uvOnly);
      await step(join(folder, 'bin', 'uv'), 'pip', 'install', ...PINNED, '--python', python, '-r', requirements);
      stamp(stampFile, wanted());
    },
  };
}

/** Folders of other parts in this venv. They have stamps of their own, and servers from source take minutes. */
const OF_OTHER_PARTS = ['go', 'ray'];

/** What stands there without a stamp is half of ours, or a link to something that is not ours to delete. */
function clear(folder) {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there?.isSymbolicLink()) return unlinkSync(folder);
  if (!there?.isDirectory()) return rmSync(folder, { force: true });
  for (const name of readdirSync(folder))
    if (!OF_OTHER_PARTS.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** uv reads neither pip's settings nor, by itself, the system's certificates. */
export const indexForUv = () => ({
  UV_NATIVE_TLS: 'true',
  ...(process.env.PIP_INDEX_URL && !process.env.UV_DEFAULT_INDEX
    ? { UV_DEFAULT_INDEX: process.env.PIP_INDEX_URL }
    : {}),
  ...(process.env.PIP_CERT && !process.env.SSL_CERT_FILE ? { SSL_CERT_FILE: process.env.PIP_CERT } : {}),
});

/** The lines of one package, hashes included. */
export function only(name, requirements) {
  const lines = requirements.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${name}==`));
  const length = lines.slice(start + 1).findIndex((line) => !line.startsWith(' '));
  return `${lines.slice(start, start + 1 + length).join('\n')}\n`;
}

function findPython() {
  const seen = [];
  for (const name of ['python3', 'python3.11', 'python3.12', 'python3.13', 'python3.14']) {
    const { stdout } = spawnSync(name, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
      encoding: 'utf8',
    });
    const [major, minor] = (stdout ?? '').trim().split('.').map(Number);
    if (major === 3 && minor >= 11) return name;
    if (stdout) seen.push(`${name} is ${stdout.trim()}`);
  }
  throw noPython(seen.join(', '));
}
