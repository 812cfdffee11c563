import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
  timingSafeEqual,
  verify,
  type KeyObject,
} from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, basename, isAbsolute, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { provedText, ROLES, type Proofs, type Role } from '../../model/proof.js';
import type { ServiceSecret } from '../../model/service-login.js';
import { keyNotOurs, keyTooOpen, keyUnreadable } from './errors.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Functions of one role's key. Null: this home lacks that half. */
interface Signer {
  readonly sign: ((text: Buffer) => Buffer) | null;
  readonly verify: ((text: Buffer, sig: Buffer) => boolean) | null;
}

/** Reads the keys once. Throws HOME_KEY_TOO_OPEN, HOME_KEY_NOT_OURS or HOME_KEY_UNREADABLE.
 * @param signs roles that the caller signs for; no other secret is read */
export function openHomeKeys(folder: string, signs: readonly Role[] = ROLES): Proofs {
  const signers: Readonly<Record<Role, Signer>> = {
    control: controlKey(folder, signs.includes('control')),
    worker: workerKey(folder, signs.includes('worker')),
  };
  return {
    knows: (role) => signers[role].verify !== null,
    holds: (role) => signers[role].sign !== null,
    sign: (role, purpose, value) => {
      const sig = signers[role].sign?.(Buffer.from(provedText(purpose, value)));
      return sig === undefined ? null : { by: role, sig: sig.toString('base64') };
    },
    verify: (role, purpose, value, { sig }) =>
      signers[role].verify?.(Buffer.from(provedText(purpose, value)), Buffer.from(sig, 'base64')) ?? false,
  };
}

function controlKey(folder: string, signs: boolean): Signer {
  const path = secretKeyFile(folder, 'control');
  const secret = signs ? readEd25519(path, createPrivateKey, 0o077) : null;
  const known = secret ? createPublicKey(secret) : readEd25519(publicKeyFile(folder), createPublicKey, 0o022);
  return {
    sign: secret && ((text) => sign(null, text, secret)),
    verify: known && ((text, sig) => verify(null, text, known, sig)),
  };
}

const MAC_BYTES = 32;

/** HMAC-SHA256, which proves step results. */
function workerKey(folder: string, signs: boolean): Signer {
  const path = secretKeyFile(folder, 'worker');
  const text = signs ? readOurs(path, 0o077)?.toString('utf8').trim() : undefined;
  if (text === undefined) return { sign: null, verify: null };
  if (!/^[0-9a-f]{64}$/.test(text)) throw fail(keyUnreadable(path));
  const secret = Buffer.from(text, 'hex');
  const mac = (of: Buffer): Buffer => createHmac('sha256', secret).update(of).digest();
  return { sign: mac, verify: (of, sig) => sig.length === MAC_BYTES && timingSafeEqual(mac(of), sig) };
}

function readEd25519(path: string, read: (pem: Buffer) => KeyObject, forbidden: number): KeyObject | null {
  const pem = readOurs(path, forbidden);
  if (pem === null) return null;
  try {
    const key = read(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The reason might quote the key.
  }
  throw fail(keyUnreadable(path));
}

/** Returns the file's bytes. Null if it is absent. Throws if another user could read or replace the key.
 * @param forbidden mode bits */
export function readOurs(path: string, forbidden: number): Buffer | null {
  try {
    const { mode, uid } = statSync(path);
    const owners = [uid, statSync(dirname(path)).uid];
    if (owners.some((one) => one !== process.getuid?.() && one !== 0)) throw fail(keyNotOurs(path));
    if ((mode & forbidden) !== 0) throw fail(keyTooOpen(path, mode));
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the folder of a home's keys. SLIPWAY_KEYS overrides it. If SLIPWAY_STORE is another home's store on this
 * machine, the keys are beside that store. */
export function keysFolder(env: Env, home: string): string {
  const store = env['SLIPWAY_STORE'];
  if (env['SLIPWAY_KEYS']) return env['SLIPWAY_KEYS'];
  if (store && isAbsolute(store) && basename(store) === 'store') return join(dirname(store), 'keys');
  return join(home, 'keys');
}

export const secretKeyFile = (folder: string, role: Role): string => join(folder, `${role}.key`);
export const secretAt = (folder: string, which: ServiceSecret): string => join(folder, `${which}.key`);
export const publicKeyFile = (folder: string): string => join(folder, 'control.pub');
