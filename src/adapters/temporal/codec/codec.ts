import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { fail } from '../../../model/failure.js';
import { codecKeyMissing, codecPayloadDamaged } from './errors.js';
import type { Key } from './keys.js';
import { bytesOf, encodingOf, payloadOf } from './payload-bytes.js';

/** Encoding name from the samples of Temporal's SDKs. */
const ENCRYPTED = 'binary/encrypted';
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (value: Uint8Array | null | undefined): string => new TextDecoder().decode(value ?? new Uint8Array());

/** Encrypts with the first key and decrypts with any. Without keys nothing is encrypted. Unencrypted payloads stay
 * readable: old ones, and those from the UI. Throws CODEC_KEY_MISSING or CODEC_PAYLOAD_DAMAGED. */
export const createCodec = (keys: readonly Key[]): PayloadCodec => ({
  encode: async (payloads) => payloads.map((payload) => (keys[0] ? encrypt(payload, keys[0]) : payload)),
  decode: async (payloads) => payloads.map((payload) => decrypt(payload, keys)),
});

/** The key's id is authenticated too (AAD). */
function encrypt(payload: Payload, { id, bytes: key }: Key): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(bytes(id));
  const data = Buffer.concat([iv, cipher.update(bytesOf(payload)), cipher.final(), cipher.getAuthTag()]);
  return {
    metadata: {
      encoding: bytes(ENCRYPTED),
      'encryption-cipher': bytes('AES/GCM'),
      'encryption-key-id': bytes(id),
    },
    data,
  };
}

function decrypt(payload: Payload, keys: readonly Key[]): Payload {
  if (encodingOf(payload) !== ENCRYPTED) return payload;
  const id = text(payload.metadata?.['encryption-key-id']);
  const key = keys.find((one) => one.id === id);
  const known = keys.map((one) => one.id);
  if (key === undefined) throw fail(codecKeyMissing(id, known));
  try {
    const data = payload.data ?? new Uint8Array();
    const decipher = createDecipheriv(CIPHER, key.bytes, data.subarray(0, IV_BYTES));
    decipher.setAAD(bytes(id)).setAuthTag(data.subarray(data.length - TAG_BYTES));
    return payloadOf(
      Buffer.concat([decipher.update(data.subarray(IV_BYTES, data.length - TAG_BYTES)), decipher.final()]),
    );
  } catch (error) {
    throw fail(codecPayloadDamaged(id), error);
  }
}
