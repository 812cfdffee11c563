import type { Work } from '../work.js';

/** A virtual environment of one Python; nobody's settings and no project count. */
export const makeVenv = (work: Work, python: string, folder: string, more: readonly string[] = []): Promise<void> =>
  work.must(['uv', 'venv', '--quiet', '--no-config', '--no-project', ...more, '--python', python, folder]);

/** Puts a tool's package into an environment, in the version of the tool that `prove` pinned. */
export function installPinned(work: Work, python: string, name: string, tool: string): Promise<void> {
  const version = work.toolchain?.tools[tool];
  const what = version ? `${name}==${version}` : name;
  return work.must(['uv', 'pip', 'install', '--quiet', '--no-config', '--python', python, what]);
}
