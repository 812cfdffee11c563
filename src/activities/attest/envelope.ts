import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { signedBefore, type Envelope } from '../../model/evidence.js';
import { fail } from '../../model/failure.js';
import { keyRefused, signatureWrong } from './errors.js';
import type { Body } from '../work.js';

export interface Signer {
  /** SHA-256 of the public key as SubjectPublicKeyInfo, in hex. */
  readonly keyid: string;
  readonly key: KeyObject;
}

/** Reads an ECDSA P-256 key: PEM, PKCS #8 or SEC 1, not encrypted. Throws ATTEST_KEY_REFUSED for any other. */
export function signerOf(pem: string, reference: string): Signer {
  const key = read(pem, reference);
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType !== 'ec' || curve !== 'prime256v1')
    throw fail(keyRefused(reference, `it is a key for ${curve ?? key.asymmetricKeyType}`));
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return { key, keyid: createHash('sha256').update(spki).digest('hex') };
}

function read(pem: string, reference: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // Node's error might quote the key.
    throw fail(keyRefused(reference, 'it is no private key in PEM without a passphrase'));
  }
}

/** Signs a payload as a DSSE envelope: ECDSA over SHA-256, in DER. Throws ATTEST_SIGNATURE_WRONG if the signature does
 * not verify. */
export function envelop(payload: Buffer, payloadType: string, { key, keyid }: Signer): Envelope {
  const signed = preAuthentication(payloadType, payload);
  const sig = sign('sha256', signed, { key, dsaEncoding: 'der' });
  if (!verify('sha256', signed, { key: createPublicKey(key), dsaEncoding: 'der' }, sig))
    throw fail(signatureWrong(keyid));
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid, sig: sig.toString('base64') }] };
}

/** DSSE's pre-authentication encoding. It covers the payload type, so a signed payload cannot pass for another type. */
const preAuthentication = (type: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(signedBefore(type, body.length)), body]);

/** Signs a test text before the build starts, so that a missing or wrong key fails early. */
export const createProveAttestKey = (): Body<'proveAttestKey'> => async (work) => {
  const { key } = work.step.params;
  const signer = signerOf(await work.secret(key), key);
  envelop(Buffer.from('a proof\n'), 'text/plain', signer);
  return { artifacts: [], facts: { keyid: signer.keyid }, note: `signs as ${signer.keyid.slice(0, 12)}` };
};
