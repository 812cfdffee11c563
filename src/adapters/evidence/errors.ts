import type { Problem } from '../../model/failure.js';

export const fileRefused = (path: string, why: string): Problem => ({
  code: 'VERIFY_FILE_REFUSED',
  class: 'config',
  message: `${JSON.stringify(path)} ${why}`,
  next: 'Name ordinary files, or the folder that holds them; name files with keys after --key.',
});

export const keyFileRefused = (path: string): Problem => ({
  code: 'VERIFY_KEY_REFUSED',
  class: 'config',
  message: `${JSON.stringify(path)} holds neither a public key in PEM nor OpenSSH keys of approvers`,
  next: 'Name the public half of `attest.key` (`openssl ec -in attest.pem -pubout`), or an allowed-signers file, with --key.',
});
