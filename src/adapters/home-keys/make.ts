import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ROLES } from '../../model/proof.js';
import { privateKeyFile, publicKeyFile } from './folder.js';

/** Makes the key pairs of a home that has none. A folder with a public key alone joined another home and keeps that. */
export function makeHomeKeys(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const role of ROLES) {
    const [secret, known] = [privateKeyFile(folder, role), publicKeyFile(folder, role)];
    if (existsSync(known)) continue;
    // Of two programs that make it at once, the later one uses the other's key.
    if (!existsSync(secret)) appears(secret, newKey(), 0o600);
    const publicKey = createPublicKey(readFileSync(secret));
    appears(known, publicKey.export({ type: 'spki', format: 'pem' }), 0o644);
  }
}

const newKey = (): string | Buffer =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

/** Writes a whole file unless one is there. */
function appears(path: string, text: string | Buffer, mode: number): void {
  const half = `${path}.${process.pid}.half`;
  try {
    writeFileSync(half, text, { mode });
    linkSync(half, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(half, { force: true });
  }
}
