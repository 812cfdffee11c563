import type { Access } from '../../model/isolation.js';
import type { Work } from '../work.js';

/** Makes a virtual environment without uv's user, system or project settings. */
export const makeVenv = (work: Work, python: string, folder: string, more: readonly string[] = []): Promise<void> =>
  work.must(['uv', 'venv', '--quiet', '--no-config', '--no-project', ...more, '--python', python, folder], {
    access: 'fetch',
  });

export interface Environment {
  readonly python: string;
  /** True after packages were installed into it. uv then runs their code when it asks the Python for its version. */
  readonly isFilled: boolean;
}

/** A program that runs code of packages may not write the shared cache. */
const accessTo = ({ isFilled }: Environment): Access => (isFilled ? 'resolve' : 'fetch');

/** Installs a tool's package in the version that `prove` pinned. */
export function installPinned(work: Work, to: Environment, name: string, tool: string): Promise<void> {
  const version = work.toolchain?.tools[tool];
  const asked = version ? `${name}==${version}` : name;
  return work.must([...INSTALL, '--no-build', '--python', to.python, asked], { access: accessTo(to) });
}

/** Installs locks into an environment, with wheels through the shared cache. A lock that needs an sdist is installed
 * with a private cache, since building it runs its code. */
export async function installLocks(work: Work, to: Environment, files: readonly string[]): Promise<void> {
  const argv = [...INSTALL, '--require-hashes', '--python', to.python, ...files.flatMap((file) => ['-r', file])];
  const { code } = await work.exec([...argv, '--no-build'], { access: accessTo(to) });
  if (code !== 0) await work.must(argv, { access: 'resolve' });
}

const INSTALL = ['uv', 'pip', 'install', '--quiet', '--no-config'];
