import type { Io } from './command.js';
import type { Ports } from './ports.js';

const SHOWN = 5;

/** Runs `act`, then notes files that are not committed, because a release is built from a commit. `git status` runs at the same time:
 * it may take long in a large tree. */
export async function notingUncommitted<T>(file: string, ports: Ports, io: Io, act: () => Promise<T>): Promise<T> {
  const [done, paths] = await Promise.all([act(), ports.uncommitted(file)]);
  if (paths.length === 0) return done;
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  io.err(`note: the source is taken as committed; not committed: ${paths.slice(0, SHOWN).join(', ')}${more}`);
  return done;
}
