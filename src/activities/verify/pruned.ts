import { publishedBy } from '../../model/report.js';
import { isFinding, readGone } from '../../engine/index/read-record.js';
import type { Problem } from '../../model/failure.js';
import { indexPaths, type Gone } from '../../model/python/index-entry.js';
import { wheelPruned } from '../publish/errors.js';
import type { ListedWheel } from './index-files.js';
import type { Verify } from './pass.js';

/** Returns the problem of the first wheel that was removed from the index after this run published it. Null if the index
 * says so of none. Publishing takes back the record of an earlier removal. */
export async function prunedIn(verify: Verify, wheels: readonly ListedWheel[]): Promise<Problem | null> {
  const { work, to } = verify;
  for (const { item } of wheels) {
    const gone = await goneOf(verify, item.name);
    if (gone === null) continue;
    const from = work.inputs.find((result) => publishedBy(result).some(({ name }) => name === item.name));
    const told = { by: cut(gone.by), because: cut(gone.because) };
    return wheelPruned(to.name, item.name, told, from!.step);
  }
  return null;
}

/** Anybody who writes to the index may have written the record. */
const cut = (text: unknown): string => String(text).slice(0, 200);

/** Returns the record of a removal. Null if there is none that can be read. */
async function goneOf({ target }: Pick<Verify, 'target'>, name: string): Promise<Gone | null> {
  const [platform = '', , project = '', file = ''] = name.split('/');
  const path = indexPaths.goneFile(platform, project, file);
  // An index that does not answer has failed the installer too, whose error is told.
  const text = (await target.record?.(path).catch(() => null)) ?? null;
  const gone = text === null ? null : readGone(path, text);
  return gone === null || isFinding(gone) || gone.state !== 'removed' ? null : gone;
}
