import type { Io } from './command.js';
import type { Ports } from './ports.js';

const SHOWN = 5;

/** A release takes a commit; somebody who changed a file and forgot to commit it is told. */
export async function noteUncommitted(file: string, ports: Ports, io: Io): Promise<void> {
  const paths = await ports.uncommitted(file);
  if (paths.length === 0) return;
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  io.err(`note: the source is taken as committed; not committed: ${paths.slice(0, SHOWN).join(', ')}${more}`);
}
