import type { Problem } from '../../../model/failure.js';

export const keyUnreadable = (reference: string, why: string): Problem => ({
  code: 'SIGNING_KEY_UNREADABLE',
  class: 'config',
  message: `${reference} is neither an armoured private key nor a file that holds one: ${why}`,
  next: `Set ${reference.slice(1)} where the worker of the queue control runs, to the output of \`gpg --armor --export-secret-keys NAME\` or to the path of a file with it.`,
});

export const keyRefused = (reference: string, code: number): Problem => ({
  code: 'SIGNING_KEY_REFUSED',
  class: 'config',
  message: `gpg cannot import the key in ${reference} (exit status ${code})`,
  next: `Compare it with \`gpg --show-keys\`: it must be one whole armoured *private* key. \`slipway logs\` of this step shows what gpg said.`,
});

export const keyAmbiguous = (reference: string, fingerprints: readonly string[]): Problem => ({
  code: 'SIGNING_KEY_AMBIGUOUS',
  class: 'config',
  message: `${reference} holds ${fingerprints.length} private keys${fingerprints.length > 0 ? `: ${fingerprints.join(', ')}` : ''}`,
  next: 'Export exactly one: `gpg --armor --export-secret-keys FINGERPRINT`.',
});

export const signingFailed = (file: string, code: number): Problem => ({
  code: 'SIGNING_FAILED',
  class: 'denied',
  message: `gpg did not sign ${file} (exit status ${code})`,
  next: 'A key with a passphrase needs `sign: { key: $NAME, passphrase: $NAME }`; `slipway logs` of this step shows what gpg said.',
});

export const signatureBad = (file: string, fingerprint: string): Problem => ({
  code: 'SIGNATURE_BAD',
  class: 'bug',
  message: `the signature of ${file} does not verify with the key ${fingerprint}`,
  next: 'Nothing was published. Is the key expired? `slipway logs` of this step shows what gpg said.',
});

export const nothingToSign = (step: string): Problem => ({
  code: 'NOTHING_TO_SIGN',
  class: 'bug',
  message: `${step} has no files among its inputs`,
  next: 'Please report this with the output of `slipway plan --json`.',
});
