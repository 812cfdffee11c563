import { problem } from '../../../model/problem.js';

export const keyUnreadable = problem.config((reference: string, why: string) => [
  'SIGNING_KEY_UNREADABLE',
  `${reference} is neither an armoured private key nor a file that holds one: ${why}`,
  `Set ${reference.slice(1)} where the worker of the queue control runs, to the output of \`gpg --armor --export-secret-keys NAME\` or to the path of a file with it.`,
]);
export const keyRefused = problem.config((reference: string, code: number) => [
  'SIGNING_KEY_REFUSED',
  `gpg cannot import the key in ${reference} (exit status ${code})`,
  `Compare it with \`gpg --show-keys\`: it must be one whole armoured *private* key. \`slipway logs\` of this step shows what gpg said.`,
]);
export const keyAmbiguous = problem.config((reference: string, fingerprints: readonly string[]) => [
  'SIGNING_KEY_AMBIGUOUS',
  `${reference} holds ${fingerprints.length} private keys${fingerprints.length > 0 ? `: ${fingerprints.join(', ')}` : ''}`,
  'Export exactly one: `gpg --armor --export-secret-keys FINGERPRINT`.',
]);
export const signingFailed = problem.denied((file: string, code: number) => [
  'SIGNING_FAILED',
  `gpg did not sign ${file} (exit status ${code})`,
  'A key with a passphrase needs `sign: { key: $NAME, passphrase: $NAME }`; `slipway logs` of this step shows what gpg said.',
]);
export const signatureBad = problem.bug((file: string, fingerprint: string) => [
  'SIGNATURE_BAD',
  `the signature of ${file} does not verify with the key ${fingerprint}`,
  'Nothing was published. Is the key expired? `slipway logs` of this step shows what gpg said.',
]);
export const nothingToSign = problem.bug((step: string) => [
  'NOTHING_TO_SIGN',
  `${step} has no files among its inputs`,
  'Please report this with the output of `slipway plan --json`.',
]);
