import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fail } from '../../model/failure.js';
import { keysNotWritable } from './errors.js';
import { publicKeyFile, secretKeyFile } from './open.js';

/** Makes the missing keys of a new home. A folder with `control.pub` stays as it is: it has keys, or joined another
 * home. Returns the names of all keys. */
export function makeHomeKeys(folder: string): readonly string[] {
  const [control, known, worker] = [
    secretKeyFile(folder, 'control'),
    publicKeyFile(folder),
    secretKeyFile(folder, 'worker'),
  ];
  const there = (): readonly string[] =>
    [control, known, worker].filter((path) => existsSync(path)).map((path) => basename(path));
  if (existsSync(known)) return there();
  // If two programs create a key at once, the later one uses the other's.
  appears(worker, `${randomBytes(32).toString('hex')}\n`, 0o600);
  appears(control, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
  // The public key comes last: its presence means that the others exist.
  appears(known, createPublicKey(readFileSync(control)).export({ type: 'spki', format: 'pem' }), 0o644);
  return there();
}

/** Writes a whole file unless it exists. Throws HOME_KEYS_NOT_WRITABLE. */
export function appears(path: string, text: string | Buffer, mode: number): void {
  if (existsSync(path)) return;
  const half = `${path}.${process.pid}.half`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(half, text, { mode });
    linkSync(half, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw fail(keysNotWritable(path, message));
  } finally {
    rmSync(half, { force: true });
  }
}
