import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes JSON that only this user reads, by rename: a reader never sees half of a file. */
export async function keepJson(path: string, value: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const half = `${path}.${randomUUID()}.half`;
  await writeFile(half, JSON.stringify(value), { mode: 0o600 });
  await rename(half, path);
}
