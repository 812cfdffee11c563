import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { basename } from 'node:path';
import { hexOf } from '../../model/digest.js';
import { signedBefore, type Envelope } from '../../model/evidence.js';
import { fail } from '../../model/failure.js';
import type { Signatures } from '../../activities/gates/ports.js';
import { sha256 } from '../sha256.js';
import { keyFileRefused } from './errors.js';
import { smallFile } from './files.js';

const MOST_BYTES = 1 << 20;
const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;
/** A key of an allowed-signers or .pub file. Options before the type are dropped; Slipway adds its own namespace. */
const OPENSSH =
  /^(?:[^#\s]\S*\s+(?:\S+\s+)*?)?((?:ssh-ed25519|ssh-rsa|ecdsa-sha2-\S+|sk-\S+) [A-Za-z0-9+/]+={0,3})(?:\s|$)/;

/** Keys that the reader trusts. They come from the reader's own files, never from the verified files. */
export interface TrustedKeys {
  readonly names: readonly string[];
  /** Returns the name of the key that signed an envelope. Null if none did. */
  signer(envelope: Envelope, payload: Buffer): string | null;
  /** Returns the approver's key that signed a text. Null if none did. */
  approver(text: string, signature: string): Promise<string | null>;
}

export async function trustedKeys(paths: readonly string[], signatures: Signatures): Promise<TrustedKeys> {
  const files = await Promise.all(paths.map(readKeys));
  const [keys, approvers] = [files.flatMap(({ pems }) => pems), files.flatMap(({ lines }) => lines)];
  return {
    names: [...keys, ...approvers].map(({ name }) => name),
    signer: ({ payloadType, signatures: all }, payload) => {
      const text = Buffer.concat([Buffer.from(signedBefore(payloadType, payload.length)), payload]);
      const found = keys.find(({ key }) => all.some(({ sig }) => isSigned(text, key, Buffer.from(sig, 'base64'))));
      return found?.name ?? null;
    },
    approver: async (text, signature) => {
      for (const { line, name } of approvers) if (await signatures.verify(text, signature, line)) return name;
      return null;
    },
  };
}

interface KeyFile {
  readonly pems: readonly { readonly name: string; readonly key: KeyObject }[];
  readonly lines: readonly { readonly name: string; readonly line: string }[];
}

async function readKeys(path: string): Promise<KeyFile> {
  const text = (await smallFile(path, MOST_BYTES)).toString('utf8');
  const pems = (text.match(PEM) ?? []).map((pem) => readPem(pem, path));
  const lines = text.split('\n').flatMap((line) => {
    const key = OPENSSH.exec(line.trim())?.[1];
    return key === undefined ? [] : [{ line: key, name: `${basename(path)} ${fingerprint(key)}` }];
  });
  if (pems.length + lines.length === 0) throw fail(keyFileRefused(path));
  return { pems, lines };
}

function readPem(pem: string, path: string): KeyFile['pems'][number] {
  try {
    const key = createPublicKey(pem);
    const id = hexOf(sha256(key.export({ type: 'spki', format: 'der' })));
    return { key, name: `${basename(path)} ${id.slice(0, 12)}` };
  } catch {
    throw fail(keyFileRefused(path));
  }
}

const fingerprint = (line: string): string =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(line.split(' ')[1]!, 'base64'))
    .digest('base64')
    .replace(/=+$/, '')}`;

function isSigned(text: Buffer, key: KeyObject, sig: Buffer): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', text, { key, dsaEncoding: 'der' }, sig);
  } catch {
    return false; // a signature of another key type
  }
}
