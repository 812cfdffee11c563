import type { Body } from '../work.js';
import { envelop, signerOf } from './envelope.js';

/** The key can be had and signs, before a minute is spent on what it is for. */
export const createProveAttestKey = (): Body<'proveAttestKey'> => async (work) => {
  const { key } = work.step.params;
  const signer = signerOf(await work.secret(key), key);
  envelop(Buffer.from('a proof\n'), 'text/plain', signer);
  return { artifacts: [], facts: { keyid: signer.keyid }, note: `signs as ${signer.keyid.slice(0, 12)}` };
};
