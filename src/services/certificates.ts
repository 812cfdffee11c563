import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SERVER_NAME, certificateFault } from '../adapters/temporal/certificates.js';

const DAYS = '825';
/** Certificates are made anew this long before they expire. */
const EARLY_MS = 30 * 24 * 3_600_000;
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-batch'];

export const SERVER_NAMES = `subjectAltName=DNS:${SERVER_NAME},DNS:localhost,IP:127.0.0.1`;

interface Certificate {
  /** Name of the authority that signs it. */
  readonly by: string;
  /** X.509 extensions. They make it version 3, and the worker's TLS takes no other. */
  readonly more: readonly string[];
}

/** Writes NAME.pem and NAME.key for each authority and certificate. The common name is NAME. */
export function makeCertificates(
  folder: string,
  authorities: readonly string[],
  certificates: Readonly<Record<string, Certificate>>,
): void {
  const openssl = (...argv: readonly string[]): unknown =>
    execFileSync('openssl', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of authorities) {
    const own = ['-x509', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', DAYS];
    openssl('req', ...own, '-subj', `/CN=${name}`, '-addext', 'keyUsage=critical,keyCertSign,cRLSign');
  }
  for (const [name, { by, more }] of Object.entries(certificates)) {
    const request = [...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`];
    openssl('req', ...request, ...more.flatMap((one) => ['-addext', one]));
    const signed = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', '-copy_extensions', 'copyall'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-days', DAYS, '-out', `${name}.pem`);
  }
}

/** Makes the certificates of a home's door, unless those there are sound. The authority's key signs once and is
 * removed.
 * @returns whether it made them */
export function keepDoorCertificates(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const soon = Date.now() + EARLY_MS;
  if (['server', 'client'].every((name) => certificateFault(folder, name, soon) === null)) return false;
  try {
    makeCertificates(folder, ['ca'], {
      server: { by: 'ca', more: [SERVER_NAMES, 'extendedKeyUsage=serverAuth'] },
      client: { by: 'ca', more: ['extendedKeyUsage=clientAuth'] },
    });
  } finally {
    for (const name of ['ca.key', 'ca.srl', 'server.csr', 'client.csr']) rmSync(join(folder, name), { force: true });
  }
  return true;
}
