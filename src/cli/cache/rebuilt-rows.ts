import { counted } from '../../model/counted.js';
import type { Restored } from '../../model/index-writer.js';
import type { Remade } from '../../model/remade.js';
import type { Io } from '../command.js';
import type { Copy, IndexCopies } from './open-rebuild.js';

export interface RebuiltRow extends Omit<Restored, 'state'> {
  /** `built`: built again with the digest of its entry. `other`: built again with another digest, and not listed. */
  readonly state: Restored['state'] | 'built' | 'other';
}

/** Puts wheels back. Those that the store lost are built again, and put back if they have their digest. */
export async function rebuiltRows(
  { restore, remake }: Pick<IndexCopies, 'restore' | 'remake'>,
  wanted: readonly Copy[],
  io: Io,
): Promise<readonly RebuiltRow[]> {
  const rows = await restore(wanted);
  const lost = wanted.filter((copy) => rows.some((row) => row.state === 'lost' && isAbout(row, copy)));
  if (lost.length === 0) return rows;
  io.err(`The store lacks ${counted(lost.length, 'wheel')}: built again from the sdist.`);
  const remade = await remake(lost);
  const back = await restore(lost.filter((_, at) => remade[at]?.why === null));
  return rows.map((row) => {
    const at = row.state === 'lost' ? lost.findIndex((copy) => isAbout(row, copy)) : -1;
    return at === -1 ? row : builtRow(row, remade[at]!, back);
  });
}

const isAbout = ({ platform, file }: Pick<Restored, 'platform' | 'file'>, copy: Copy): boolean =>
  copy.platform === platform && copy.entry.file === file;

function builtRow(row: Restored, { digest, why }: Remade, back: readonly Restored[]): RebuiltRow {
  if (why !== null) return { ...row, state: digest === null ? 'lost' : 'other', why: `${row.why}; ${why}` };
  const now = back.find(({ platform, file }) => platform === row.platform && file === row.file) ?? row;
  return { ...now, state: now.why === null ? 'built' : now.state };
}
