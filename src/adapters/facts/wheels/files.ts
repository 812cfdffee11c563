import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Digest } from '../../../model/digest.js';
import { fail } from '../../../model/failure.js';
import { withAnyPython } from '../../../model/python/fitting-wheel.js';
import type { Spot } from '../../../plan/errors.js';
import type { Facts, TakenFile } from '../../../plan/facts.js';
import type { ReadFile } from '../../../plan/read/release-file.js';
import { problems } from '../../../plan/taken/errors.js';
import { usedVariants } from '../../../plan/taken/used.js';

interface Taking {
  readonly file: ReadFile;
  readonly folder: string;
  readonly facts: Facts;
  readonly name: string;
  readonly spot: Spot;
}

/** Reads a wheel of this machine, or the one of each Python. Throws WHEEL_FILE_ABSENT. */
export async function readFiles(
  path: string,
  { file, folder, facts, name, spot }: Taking,
): Promise<Readonly<Record<string, TakenFile>>> {
  const pattern = withAnyPython(path);
  const pythons = pattern.includes('{python}')
    ? usedVariants(name, file, facts, '0').map(({ wanted }) => wanted.python ?? '')
    : [''];
  const read = pythons.map(async (python) => {
    const own = python === '' ? path : pattern.replaceAll('{python}', python);
    const found = await digestOf(resolve(folder, own)).catch((error: Error) => {
      throw fail(problems.fileAbsent(spot, own, error.message));
    });
    return [python, { path: resolve(folder, own), name: basename(own), ...found }] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

async function digestOf(path: string): Promise<{ readonly digest: Digest; readonly size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}
