import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Signatures } from '../../activities/gates/ports.js';
import { fail } from '../../model/failure.js';
import { SIGNED_AS } from '../../model/gate.js';
import { temporaryFolder } from '../temporary-folder.js';
import { sshKeygenMissing, notSigned } from './errors.js';

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const LIMIT_MS = 120_000;

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

function openssh(program: 'ssh-keygen' | 'ssh-add', argv: readonly string[], stdin = ''): Promise<Answer> {
  return new Promise((answer, reject) => {
    const child = spawn(program, argv, { stdio: ['pipe', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', () => undefined); // it may end without reading
    child.on('error', (error) => reject(fail(sshKeygenMissing(program), error)));
    child.on('close', (code) => answer({ code: code ?? 1, out, err }));
    child.stdin.end(stdin);
  });
}

/** Returns the public keys of the user's SSH agent, one line each. Empty without an agent. */
export async function agentKeys(): Promise<readonly string[]> {
  const { code, out } = await openssh('ssh-add', ['-L']);
  return code === 0 ? out.split('\n').filter((line) => /^(ssh-|ecdsa-|sk-)/.test(line)) : [];
}

/** Signs a text. Throws NOT_SIGNED or OPENSSH_MISSING.
 * @param key path of a key, or the line of a public key in the agent */
export async function sign(text: string, key: { readonly path: string } | { readonly line: string }): Promise<string> {
  await using folder = await temporaryFolder('sign');
  const path = 'path' in key ? key.path : join(folder.path, 'key.pub');
  if ('line' in key) await writeFile(path, `${key.line}\n`);
  const { code, out, err } = await openssh('ssh-keygen', ['-Y', 'sign', '-n', SIGNED_AS, '-f', path], text);
  if (code !== 0) throw fail(notSigned('path' in key ? path : 'a key of the agent', err));
  return out.trim();
}
