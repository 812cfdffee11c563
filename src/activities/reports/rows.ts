import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonical } from '../../model/json.js';
import type { Artifact } from '../../model/artifact.js';
import type { Target } from '../../model/target.js';
import { hexOf } from '../../model/digest.js';
import { connect } from '../publish/connect.js';
import { look, READ_BACK_WAITS_MS } from '../publish/look.js';
import { uploadItems } from '../publish/upload-items.js';
import type { Item, PublishTarget } from '../publish/ports.js';
import type { Work } from '../work.js';
import type { ReportPorts, TableRow } from './ports.js';

/** Writes the rows as one file of JSON lines, once. A rerun of a test after that makes a second file with all rows, whose name
 * has the first digits of its digest. Returns how many rows existed: all or none. */
export async function writeRows(
  work: Work<'reportTests'>,
  to: Target,
  rows: readonly TableRow[],
  { targets }: ReportPorts,
): Promise<number> {
  const target = targets.open(await connect(work, to), work);
  const path = join(work.folder, 'rows.jsonl');
  await writeFile(path, rows.map(({ row }) => `${canonical(row)}\n`).join(''));
  const first = await work.keep(path, 'file', {}, `${work.run}.jsonl`);
  const { item, isThere } = await free(target, to.name, first);
  if (isThere) return rows.length;
  await uploadItems(work, target, to.name, [item], { waitsMs: READ_BACK_WAITS_MS });
  work.log.write(`wrote ${rows.length} rows to ${item.url}\n`);
  return 0;
}

/** Returns the name for this content, and whether the target holds it. */
async function free(
  target: PublishTarget,
  name: string,
  file: Artifact,
): Promise<{ readonly item: Item; readonly isThere: boolean }> {
  const [item] = target.items(file, []) as [Item];
  const seen = await target.observe(item);
  if (seen.state === 'absent') return { item, isThere: false };
  if (seen.digest === file.digest) return { item, isThere: true };
  const [other] = target.items(
    { ...file, name: file.name.replace('.jsonl', `-${hexOf(file.digest).slice(0, 8)}.jsonl`) },
    [],
  ) as [Item];
  const looked = await look(target, name, [other]);
  return { item: other, isThere: looked[0]!.verdict === 'same' };
}
