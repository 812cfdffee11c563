import type { Queue } from '../../model/ids.js';
import type { Interpreters } from '../pythons/ports.js';
import { measureTools } from '../prove-queue/measure.js';
import type { StepContext } from '../step/ports.js';
import type { Toolchain } from '../work.js';
import { pinDigest, pinHere, shellOf, type Measured } from './measure-worker.js';

/** Lists in which tools of a step this worker differs from its pin. Versions measured at the start are trusted while
 * they agree. A differing tool is measured again: it may have been upgraded since. */
export function createDifferences(
  around: StepContext,
  interpreters: Interpreters,
  measured: Measured & { readonly queue: Queue },
) {
  const known: Record<string, string> = { ...measured.tools };
  return async (pinned: Toolchain): Promise<readonly string[]> => {
    const stale = Object.keys(pinned.tools).filter((tool) => known[tool] !== pinned.tools[tool]);
    for (const tool of stale) delete known[tool];
    Object.assign(known, await measureTools(shellOf(around), stale));
    const pythons: Record<string, string | undefined> = {};
    for (const tag of Object.keys(pinned.pythons)) pythons[tag] = (await interpreters.find(tag))?.version;
    const found = [...differing(pinned.tools, known), ...differing(pinned.pythons, pythons)];
    const { pin } = pinned;
    const here = pinDigest(pinHere(pinned, measured.queue));
    if (found.length > 0 || here === (typeof pin === 'string' ? pin : pinDigest(pin))) return found;
    return [`another machine or C library than ${measured.machine}, ${measured.libc ?? 'no C library that it tells'}`];
  };
}

const differing = (
  pinned: Readonly<Record<string, string>>,
  here: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.entries(pinned)
    .filter(([name, version]) => here[name] !== version)
    .map(([name, version]) => `${name} ${here[name] ?? 'absent'} instead of ${version}`);
