import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { fail } from '../../model/failure.js';
import { provedText, ROLES, type Proofs, type Role } from '../../model/proof.js';
import { keyNotOurs, keyTooOpen, keyUnreadable } from './errors.js';
import { privateKeyFile, publicKeyFile } from './folder.js';

/** Reads the keys once. Throws HOME_KEY_… for a key that others can read or that is none.
 * @param signs roles that the caller signs for: no other private key is read */
export function openHomeKeys(folder: string, signs: readonly Role[] = ROLES): Proofs {
  const pairs = new Map(ROLES.map((role) => [role, readPair(folder, role, signs.includes(role))]));
  const secret = (role: Role): KeyObject | null => pairs.get(role)?.secret ?? null;
  const known = (role: Role): KeyObject | null => pairs.get(role)?.known ?? null;
  return {
    knows: (role) => known(role) !== null,
    holds: (role) => secret(role) !== null,
    sign: (role, purpose, value) => {
      const key = secret(role);
      if (key === null) return null;
      return { by: role, sig: sign(null, Buffer.from(provedText(purpose, value)), key).toString('base64') };
    },
    verify: (role, purpose, value, { sig }) => {
      const key = known(role);
      return key !== null && verify(null, Buffer.from(provedText(purpose, value)), key, Buffer.from(sig, 'base64'));
    },
  };
}

interface Pair {
  readonly secret: KeyObject | null;
  readonly known: KeyObject | null;
}

function readPair(folder: string, role: Role, signs: boolean): Pair {
  const secret = signs ? readKey(privateKeyFile(folder, role), createPrivateKey, true) : null;
  const known =
    secret === null ? readKey(publicKeyFile(folder, role), createPublicKey, false) : createPublicKey(secret);
  return { secret, known };
}

/** Null where no file is. */
function readKey(path: string, read: (pem: Buffer) => KeyObject, isPrivate: boolean): KeyObject | null {
  let pem: Buffer;
  try {
    mustBeOurs(path, isPrivate);
    pem = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const key = read(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The reason might quote the key.
  }
  throw fail(keyUnreadable(path, 'its text cannot be read as one'));
}

/** Another user could plant a key of theirs, or read ours. */
function mustBeOurs(path: string, isPrivate: boolean): void {
  const { mode, uid } = statSync(path);
  const me = process.getuid?.() ?? 0;
  if (uid !== me && uid !== 0 && me !== 0) throw fail(keyNotOurs(path));
  if ((mode & (isPrivate ? 0o077 : 0o022)) !== 0) throw fail(keyTooOpen(path, mode));
}
