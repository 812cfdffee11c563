import type { Problem } from '../../model/failure.js';

export const keyRefused = (reference: string, why: string): Problem => ({
  code: 'ATTEST_KEY_REFUSED',
  class: 'config',
  message: `${reference} cannot sign what the release attests: ${why}`,
  next: 'Name an ECDSA P-256 key in `attest.key` of the profile: `openssl ecparam -name prime256v1 -genkey -noout` makes one. Nothing was uploaded.',
});

export const signatureWrong = (keyid: string): Problem => ({
  code: 'ATTEST_SIGNATURE_WRONG',
  class: 'bug',
  message: `the signature of the key ${keyid.slice(0, 12)} does not verify`,
  next: 'Nothing was uploaded. Please report this with the version of Node (`node --version`).',
});
