import type { Toolchain } from '../work.js';
import type { StepContext } from './ports.js';

/** Adds this worker's paths of the pinned Pythons. A pin has only versions, which are the same on all workers. */
export async function located(pinned: Toolchain | null, around: StepContext): Promise<Toolchain | null> {
  if (pinned === null || around.python === undefined) return pinned;
  const pythons: Record<string, string> = {};
  for (const [tag, version] of Object.entries(pinned.pythons)) pythons[tag] = (await around.python(tag)) ?? version;
  return { ...pinned, pythons };
}
