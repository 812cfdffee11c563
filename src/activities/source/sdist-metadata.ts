import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { normalName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';
import { sdistOtherProject } from './errors.js';
import type { SdistRef } from './fetch-sdist.js';

const LONGEST_PKG_INFO = 1 << 20;

/** Throws SDIST_OTHER_PROJECT if an unpacked sdist has metadata of another project or version. Old sdists have none.
 * @param key where the release file names the sdist */
export async function assertIsProject(
  folder: string,
  file: string,
  { name, version }: Pick<SdistRef, 'name' | 'version'>,
  key: string,
): Promise<void> {
  const path = join(folder, 'PKG-INFO');
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
  if (size === 0 || size > LONGEST_PKG_INFO) return;
  const header = (await readFile(path, 'utf8')).split(/\r?\n\r?\n/)[0]!;
  const field = (of: string): string | null => new RegExp(`^${of}: *(.+?)\\r?$`, 'm').exec(header)?.[1] ?? null;
  const [itsName, itsVersion] = [field('Name'), field('Version')];
  const isIt =
    (itsName === null || normalName(itsName) === normalName(name)) &&
    (itsVersion === null || sameVersion(itsVersion, version));
  if (!isIt)
    throw fail(sdistOtherProject(key, file, `${itsName ?? name} ${itsVersion ?? ''}`.trim(), `${name}==${version}`));
}
