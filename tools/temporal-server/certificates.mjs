import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const DAYS = '825';
const NAMES = 'subjectAltName=DNS:temporal,DNS:localhost,IP:127.0.0.1';
/** One certificate for each role: who signs it, and what its extensions are. The common name is the role. */
const CERTIFICATES = {
  server: { by: 'clients', more: [NAMES, 'extendedKeyUsage=serverAuth,clientAuth'] },
  operator: { by: 'clients', more: ['extendedKeyUsage=clientAuth'] },
  control: { by: 'clients', more: ['extendedKeyUsage=clientAuth'] },
  build: { by: 'clients', more: ['extendedKeyUsage=clientAuth'] },
  // Between the server's own parts another authority counts: no role's certificate opens those ports.
  internode: { by: 'internode-ca', more: [NAMES, 'extendedKeyUsage=serverAuth,clientAuth'] },
};
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-batch'];

/** Writes NAME.pem and NAME.key for two authorities and each certificate. */
export function makeCertificates(folder) {
  const openssl = (...argv) => execFileSync('openssl', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const self = (name, more) =>
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', DAYS],
      ...['-subj', `/CN=${name}`, ...more.flatMap((one) => ['-addext', one])],
    );
  for (const name of ['clients', 'internode-ca']) self(name, ['keyUsage=critical,keyCertSign,cRLSign']);
  for (const [name, { by, more }] of Object.entries(CERTIFICATES)) {
    const request = [...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`];
    openssl('req', ...request, ...more.flatMap((one) => ['-addext', one]));
    const signed = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', '-copy_extensions', 'copyall'];
    openssl('x509', '-req', '-in', join(folder, `${name}.csr`), ...signed, '-days', DAYS, '-out', `${name}.pem`);
  }
}
