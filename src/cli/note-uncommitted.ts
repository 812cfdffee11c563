import type { Io } from './command.js';
import type { Ports } from './ports.js';

const SHOWN = 5;

/** Runs `act`, and notes files that are not committed, also if it fails: a commit is read. `git status` may take long in a large tree. */
export async function notingUncommitted<T>(file: string, ports: Ports, io: Io, act: () => Promise<T>): Promise<T> {
  const done = act();
  const [, paths] = await Promise.all([done.catch(() => null), ports.uncommitted(file).catch(() => [])]);
  if (paths.length === 0) return done;
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  io.err(`note: the source is taken as committed; not committed: ${paths.slice(0, SHOWN).join(', ')}${more}`);
  return done;
}
