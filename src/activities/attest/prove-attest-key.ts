import type { Body } from '../work.js';
import { envelop, signerOf } from './envelope.js';

/** Signs a test text before the build starts, so that a missing or wrong key fails early. */
export const createProveAttestKey = (): Body<'proveAttestKey'> => async (work) => {
  const { key } = work.step.params;
  const signer = signerOf(await work.secret(key), key);
  envelop(Buffer.from('a proof\n'), 'text/plain', signer);
  return { artifacts: [], facts: { keyid: signer.keyid }, note: `signs as ${signer.keyid.slice(0, 12)}` };
};
