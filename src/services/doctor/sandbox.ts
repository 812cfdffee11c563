import { findSandbox } from '../../adapters/process/sandbox.js';
import { ill, well, type Finding, type Patient } from './check.js';

export function sandbox({ home, toolsBin, env }: Patient): Finding {
  const found = findSandbox({ home, toolsBin, env });
  if (typeof found !== 'string')
    return well('sandbox', 'bubblewrap: programs of projects run in a sandbox of their own');
  const accepted = 'write `isolation: none` at the top of a release file that may be built without one';
  return ill('sandbox', found, `Install bubblewrap (\`apt-get install bubblewrap\` as root), or ${accepted}`);
}
