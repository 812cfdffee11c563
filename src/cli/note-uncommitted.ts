import type { Io } from './command.js';
import type { Ports } from './ports.js';

const SHOWN = 5;

/** A release takes a commit; somebody who changed a file and forgot to commit it is told. Looked up beside what is to be done with the
 * file, and told when that is done: git may take its time over a large tree. */
export async function notingUncommitted<T>(file: string, ports: Ports, io: Io, act: () => Promise<T>): Promise<T> {
  const [done, paths] = await Promise.all([act(), ports.uncommitted(file)]);
  if (paths.length === 0) return done;
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  io.err(`note: the source is taken as committed; not committed: ${paths.slice(0, SHOWN).join(', ')}${more}`);
  return done;
}
