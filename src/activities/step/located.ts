import type { Toolchain } from '../work.js';
import type { StepContext } from './ports.js';

/** A pin names versions, which are the same everywhere; where a Python lives is this worker's own business. */
export async function located(pinned: Toolchain | null, around: StepContext): Promise<Toolchain | null> {
  if (pinned === null || around.python === undefined) return pinned;
  const pythons: Record<string, string> = {};
  for (const [tag, version] of Object.entries(pinned.pythons)) pythons[tag] = (await around.python(tag)) ?? version;
  return { ...pinned, pythons };
}
