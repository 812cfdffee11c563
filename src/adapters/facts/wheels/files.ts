import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Digest } from '../../../model/digest.js';
import { fail } from '../../../model/failure.js';
import type { Given } from '../../../model/plan.js';
import { withAnyPython } from '../../../model/python/fitting-wheel.js';
import type { Spot } from '../../../plan/errors.js';
import type { Facts, TakenFile } from '../../../plan/facts.js';
import type { ReadFile } from '../../../plan/read/release-file.js';
import { problems } from '../../../plan/taken/errors.js';
import { usedVariants } from '../../../plan/taken/used.js';
import { workTreeOf } from '../../git/index.js';
import { homeIfNamed } from '../../home.js';
import { isBelow } from '../roots.js';
import { sha256OfStream } from '../../sha256.js';

interface Taking {
  readonly file: ReadFile;
  readonly folder: string;
  readonly facts: Facts;
  readonly name: string;
  readonly spot: Spot;
  readonly given: Given;
}

/** Reads a wheel of this machine, or the one of each Python. Throws WHEEL_FILE_ABSENT, or WHEEL_FILE_OUTSIDE for a path
 * of the release file that leads out of its folder and checkout. */
export async function readFiles(
  path: string,
  { file, folder, facts, name, spot, given }: Taking,
): Promise<Readonly<Record<string, TakenFile>>> {
  const pattern = withAnyPython(path);
  const pythons = pattern.includes('{python}')
    ? usedVariants(name, file, facts, '0').map(({ wanted }) => wanted.python ?? '')
    : [''];
  const read = pythons.map(async (python) => {
    const own = python === '' ? path : pattern.replaceAll('{python}', python);
    const real = await realpath(resolve(folder, own)).catch(() => resolve(folder, own));
    if (given.wheels?.[name] === undefined && !(await isInside(real, folder)))
      throw fail(problems.fileOutside(spot, own, name));
    const found = await digestOf(real).catch((error: Error) => {
      throw fail(problems.fileAbsent(spot, own, error.message));
    });
    if (found === null) throw fail(problems.fileAbsent(spot, own, 'it is no ordinary file'));
    return [python, { path: real, name: basename(own), ...found }] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** True below the folder of the release file or its checkout, and not in the home. */
async function isInside(real: string, folder: string): Promise<boolean> {
  const within = await Promise.all([folder, await workTreeOf(folder).catch(() => folder)].map((one) => realpath(one)));
  const own = homeIfNamed();
  return isBelow(real, within) && (own === null || !isBelow(real, [await realpath(own).catch(() => own)]));
}

/** Null if it is no plain file: a pipe is not waited for, and a device is not read. */
async function digestOf(real: string): Promise<{ readonly digest: Digest; readonly size: number } | null> {
  await using file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return (await file.stat()).isFile() ? await sha256OfStream(file.createReadStream({ autoClose: false })) : null;
}
