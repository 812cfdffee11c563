import { chmod } from 'node:fs/promises';
import type { KindName } from '../../../model/kinds.js';
import { filesUnder } from '../../files-under.js';
import type { Archives } from '../../source/ports.js';
import type { Work } from '../../work.js';

/** Packs a folder into a reproducible JAR without a manifest: sorted members, the source's time, mode 644. */
export async function packJar<K extends KindName>(
  work: Work<K>,
  archives: Archives,
  folder: string,
  jar: string,
): Promise<void> {
  for (const path of await filesUnder(folder)) await chmod(path, 0o644);
  await work.must(['jar', '--create', '--no-manifest', '--file', jar, '-C', folder, '.']);
  await archives.normaliseZip(jar, Number(work.env()['SOURCE_DATE_EPOCH'] ?? 0));
}
