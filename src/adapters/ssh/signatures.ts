import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Signatures } from '../../activities/gates/ports.js';
import { SIGNED_AS } from '../../model/gate.js';
import { openssh } from './ssh-keygen.js';
import { temporaryFolder } from '../temporary-folder.js';

const SIGNER = 'approver';

export const createSignatures = (): Signatures => ({
  signedBy: (text, signature) =>
    withFile({ signature }, async (folder) => {
      const argv = ['-Y', 'check-novalidate', '-n', SIGNED_AS, '-s', join(folder, 'signature')];
      const { code, out } = await openssh('ssh-keygen', argv, text);
      return code === 0 ? (/ (SHA256:[A-Za-z0-9+/]+)/.exec(out)?.[1] ?? null) : null;
    }),
  verify: (text, signature, publicKey) =>
    withFile({ signature, allowed: `${SIGNER} namespaces="${SIGNED_AS}" ${publicKey}\n` }, async (folder) => {
      const files = ['-f', join(folder, 'allowed'), '-s', join(folder, 'signature')];
      const { code } = await openssh('ssh-keygen', ['-Y', 'verify', '-n', SIGNED_AS, '-I', SIGNER, ...files], text);
      return code === 0;
    }),
});

async function withFile<T>(files: Readonly<Record<string, string>>, use: (folder: string) => Promise<T>): Promise<T> {
  await using folder = await temporaryFolder('signature');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text, { mode: 0o600 });
  return await use(folder.path);
}
