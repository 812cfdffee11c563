import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Fleet } from '../../model/fleet.js';
import { Fleet as FleetFile } from '../../model/schema/fleet.js';
import { problems as mistakes } from '../../plan/errors.js';
import { MAX_FILE_BYTES } from '../../plan/read/limits.js';
import { readChecked, type ReadFile } from '../../plan/read/release-file.js';
import { problems } from './errors.js';
import { utf8 } from './release-text.js';

/** Reads the machines of a simulation. Throws every problem of the file at once. */
export async function readFleetFile(file: string): Promise<ReadFile<Fleet>> {
  const path = resolve(file);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw fail(problems.noFleetFile(file));
  if (found.size > MAX_FILE_BYTES) throw fail(mistakes.tooBig({ place: { file } }, found.size));
  return readChecked(await utf8(path, file), file, FleetFile) as ReadFile<Fleet>;
}
