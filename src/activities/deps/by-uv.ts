import type { Exit } from '../ports.js';
import type { Work } from '../work.js';
import { uvPlatform } from './platform.js';
import type { Interpreter } from './ports.js';
import type { Requirements } from './requirements.js';

/** uv resolves for any platform, whatever the machine it runs on. */
export function compileByUv(
  work: Work<'compileLock'>,
  python: Interpreter,
  from: Requirements,
  to: string,
): Promise<Exit> {
  const { cutoff } = work.step.params;
  const platform = uvPlatform(work.step.params.for);
  const argv = [
    ...['uv', 'pip', 'compile', '--quiet', '--generate-hashes', '--no-header', '--no-annotate', '--no-config'],
    ...['--python', python.path, '--python-version', majorMinor(python.version)],
    ...(platform === null ? [] : ['--python-platform', platform]),
    ...(cutoff === null ? [] : ['--exclude-newer', cutoff]),
    ...from.constraints.flatMap((file) => ['--constraints', file]),
    ...['--output-file', to, ...from.in],
  ];
  return work.exec(argv, { cwd: from.folder });
}

const majorMinor = (version: string): string => version.split('.').slice(0, 2).join('.');
