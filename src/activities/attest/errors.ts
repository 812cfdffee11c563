import { problem } from '../../model/problem.js';

export const keyRefused = problem.config((reference: string, why: string) => [
  'ATTEST_KEY_REFUSED',
  `${reference} cannot sign what the release attests: ${why}`,
  'Name an ECDSA P-256 key in `attest.key` of the profile: `openssl ecparam -name prime256v1 -genkey -noout` makes one. Nothing was uploaded.',
]);
export const signatureWrong = problem.bug((keyid: string) => [
  'ATTEST_SIGNATURE_WRONG',
  `the signature of the key ${keyid.slice(0, 12)} does not verify`,
  'Nothing was uploaded. Please report this with the version of Node (`node --version`).',
]);
