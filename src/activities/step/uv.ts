import type { Work } from '../work.js';

/** A virtual environment of one Python; nobody's settings and no project count. */
export const makeVenv = (work: Work, python: string, folder: string, more: readonly string[] = []): Promise<void> =>
  work.must(['uv', 'venv', '--quiet', '--no-config', '--no-project', ...more, '--python', python, folder], {
    access: 'fetch',
  });

/** Puts a tool's package into an environment that no other program has written to, in the version that `prove` pinned. */
export function installPinned(work: Work, python: string, name: string, tool: string): Promise<void> {
  const version = work.toolchain?.tools[tool];
  return work.must([...INSTALL, '--no-build', '--python', python, version ? `${name}==${version}` : name], {
    access: 'fetch',
  });
}

/** Installs locks into an environment that no other program has written to. Wheels come through the shared cache. A lock that
 * needs an sdist is installed again with a private cache: building it runs code of its package. */
export async function installLocks(work: Work, python: string, files: readonly string[]): Promise<void> {
  const argv = [...INSTALL, '--require-hashes', '--python', python, ...files.flatMap((file) => ['-r', file])];
  const { code } = await work.exec([...argv, '--no-build'], { access: 'fetch' });
  if (code !== 0) await work.must(argv, { access: 'resolve' });
}

const INSTALL = ['uv', 'pip', 'install', '--quiet', '--no-config'];
