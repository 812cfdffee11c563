import type { Access } from '../../model/isolation.js';
import type { Work } from '../work.js';

/** A virtual environment of one Python; nobody's settings and no project count. */
export const makeVenv = (work: Work, python: string, folder: string, more: readonly string[] = []): Promise<void> =>
  work.must(['uv', 'venv', '--quiet', '--no-config', '--no-project', ...more, '--python', python, folder], {
    access: 'fetch',
  });

/** A virtual environment. */
export interface Environment {
  readonly python: string;
  /** Packages are installed there. uv asks its Python for the version, and that runs code of theirs. */
  readonly isFilled: boolean;
}

/** A program that runs code of packages does not fill the shared cache. */
const accessTo = ({ isFilled }: Environment): Access => (isFilled ? 'resolve' : 'fetch');

/** Puts a tool's package into an environment, in the version that `prove` pinned. */
export function installPinned(work: Work, to: Environment, name: string, tool: string): Promise<void> {
  const version = work.toolchain?.tools[tool];
  const asked = version ? `${name}==${version}` : name;
  return work.must([...INSTALL, '--no-build', '--python', to.python, asked], { access: accessTo(to) });
}

/** Installs locks into an environment. Wheels for a new one come through the shared cache. A lock that needs an sdist is installed
 * again with a private cache: building it runs code of its package. */
export async function installLocks(work: Work, to: Environment, files: readonly string[]): Promise<void> {
  const argv = [...INSTALL, '--require-hashes', '--python', to.python, ...files.flatMap((file) => ['-r', file])];
  const { code } = await work.exec([...argv, '--no-build'], { access: accessTo(to) });
  if (code !== 0) await work.must(argv, { access: 'resolve' });
}

const INSTALL = ['uv', 'pip', 'install', '--quiet', '--no-config'];
