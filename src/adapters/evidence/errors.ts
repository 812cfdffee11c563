import { problem } from '../../model/problem.js';

export const fileRefused = problem.config((path: string, why: string) => [
  'VERIFY_FILE_REFUSED',
  `${JSON.stringify(path)} ${why}`,
  'Name ordinary files, or the folder that holds them; name files with keys after --key.',
]);
export const keyFileRefused = problem.config((path: string) => [
  'VERIFY_KEY_REFUSED',
  `${JSON.stringify(path)} holds neither a public key in PEM nor OpenSSH keys of approvers`,
  'Name the public half of `attest.key` (`openssl ec -in attest.pem -pubout`), or an allowed-signers file, with --key.',
]);
