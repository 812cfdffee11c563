import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fail } from '../../../model/failure.js';
import type { Work, Body } from '../../work.js';
import { keyAmbiguous, keyRefused, keyUnreadable, signatureBad, signingFailed } from './errors.js';

type Signing = Work<'signFiles'> | Work<'proveKey'>;

/** A keyring of one private key; it exists while `withGpg` runs. */
export interface Gpg {
  /** 40 hex digits. */
  readonly fingerprint: string;
  sign(path: string, to: string): Promise<void>;
  /** Throws SIGNATURE_BAD unless the signature is valid and made by this key. */
  verify(path: string, signature: string): Promise<void>;
}

/** Imports the step's key into a temporary GNUPGHOME and removes it afterwards. gpg gets the key and its passphrase on
 * stdin only: never as argument, environment variable or log line. */
export async function withGpg<T>(work: Signing, body: (gpg: Gpg) => Promise<T>): Promise<T> {
  const home = join(work.folder, 'gnupg');
  await mkdir(home, { mode: 0o700 });
  // The agent's socket is in GNUPGHOME, and a socket path has at most 107 bytes: a symlink shortens it.
  const short = await mkdtemp(join(tmpdir(), 'slipway-gpg-'));
  await symlink(home, join(short, 'h'));
  const env = work.env({ GNUPGHOME: join(short, 'h') });
  try {
    return await body(await imported(work, env));
  } finally {
    // The agent also ends once its home is gone.
    await work.exec(['gpgconf', '--kill', 'all'], { env }).catch(() => undefined);
    await Promise.all([home, short].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

async function imported(work: Signing, env: Record<string, string>): Promise<Gpg> {
  const { key, passphrase } = work.step.params;
  const { code } = await work.exec(['gpg', '--batch', '--import'], { env, stdin: await keyText(work, key) });
  if (code !== 0) throw fail(keyRefused(key, code));
  const listed = await work.capture(['gpg', '--batch', '--with-colons', '--list-secret-keys'], { env });
  const fingerprints = primaries(listed);
  const [fingerprint] = fingerprints;
  if (fingerprint === undefined || fingerprints.length > 1) throw fail(keyAmbiguous(key, fingerprints));
  const secret = passphrase === null ? '' : await work.secret(passphrase);
  return {
    fingerprint,
    sign: (path, to) => sign(work, env, { fingerprint, secret, path, to }),
    verify: (path, signature) => verify(work, env, { fingerprint, path, signature }),
  };
}

/** Returns the key, or reads it from the file that the value names. Throws SIGNING_KEY_UNREADABLE. */
async function keyText(work: Signing, reference: string): Promise<string> {
  const value = await work.secret(reference);
  const text = value.includes('-----BEGIN') ? value : await readFileOr(reference, value.trim());
  if (!text.includes('-----BEGIN PGP PRIVATE KEY BLOCK-----'))
    throw fail(keyUnreadable(reference, 'no armoured private key is in it'));
  return text;
}

async function readFileOr(reference: string, path: string): Promise<string> {
  if (!isAbsolute(path) || !existsSync(path)) throw fail(keyUnreadable(reference, 'there is no such file'));
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw fail(keyUnreadable(reference, error.code ?? 'it cannot be read'));
  });
}

/** Returns fingerprints of primary keys: the `fpr` record after each `sec` (GnuPG, doc/DETAILS). */
function primaries(colons: string): readonly string[] {
  const rows = colons.split('\n').map((line) => line.split(':'));
  return rows.flatMap(([type], at) =>
    type === 'sec' ? [rows.slice(at).find(([next]) => next === 'fpr')?.[9] ?? ''] : [],
  );
}

interface Signed {
  readonly fingerprint: string;
  readonly path: string;
}

async function sign(
  work: Signing,
  env: Record<string, string>,
  { fingerprint, secret, path, to }: Signed & { readonly secret: string; readonly to: string },
): Promise<void> {
  const quiet = ['gpg', '--batch', '--no-tty', '--pinentry-mode', 'loopback', '--passphrase-fd', '0'];
  const what = ['--local-user', fingerprint, '--armor', '--output', to, '--detach-sign', path];
  const { code } = await work.exec([...quiet, ...what], { env, stdin: `${secret}\n` });
  if (code !== 0) throw fail(signingFailed(nameOf(path), code));
}

async function verify(
  work: Signing,
  env: Record<string, string>,
  { fingerprint, path, signature }: Signed & { readonly signature: string },
): Promise<void> {
  const asked = 'gpg --batch --status-fd 1 --verify "$SIGNATURE" "$FILE" || true';
  const said = await work.capture(asked, { env: { ...env, SIGNATURE: signature, FILE: path } });
  const valid = said.split('\n').find((line) => line.startsWith('[GNUPG:] VALIDSIG '));
  // The last field is the primary key's fingerprint: a subkey may have signed.
  if (valid?.trim().split(' ').at(-1) !== fingerprint) throw fail(signatureBad(nameOf(path), fingerprint));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Signs and verifies a test file before the build starts, so that a missing or wrong key fails early. */
export const createProveKey = (): Body<'proveKey'> =>
  async function proveKey(work) {
    return withGpg(work, async (gpg) => {
      const path = join(work.folder, 'proof');
      await writeFile(path, 'a proof\n');
      await gpg.sign(path, `${path}.asc`);
      await gpg.verify(path, `${path}.asc`);
      return { artifacts: [], facts: { fingerprint: gpg.fingerprint }, note: `signs as ${gpg.fingerprint.slice(-16)}` };
    });
  };
