import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { certificateFault, expiry, SERVER_NAME } from './certificates.js';
import { home } from '../home.js';
import { certificateExpired, certificateUnreadable, doorCertificateUnusable, servicesDown } from './errors.js';

/** Settings of a Temporal server, in the shape that both SDK connections take. */
export interface ServerSettings {
  readonly address: string;
  readonly namespace: string;
  readonly tls?: Tls | true;
  readonly apiKey?: string;
  /** The mark: the value of `slipway` in the namespace's data. Null: the door's certificate proves the server. Absent: no mark. */
  readonly mark?: string | null;
}
export interface Tls {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}
/** Server that `slipway up` started. */
export interface Recorded {
  readonly address: string;
  /** Folder with the certificates of its door. Absent: the server takes every caller. */
  readonly certificates?: string;
}
type Env = Readonly<Record<string, string | undefined>>;

/** Reads the variables of Temporal's own tools. Another server that TEMPORAL_ADDRESS names gets nothing of this home, and
 * the server of this home nothing of theirs. There is no default address. Throws SERVICES_DOWN, DOOR_CERTIFICATE_UNUSABLE,
 * CERTIFICATE_UNREADABLE or CERTIFICATE_EXPIRED. */
export function serverSettings(env: Env, recorded: Recorded | null): ServerSettings {
  const { TEMPORAL_ADDRESS: named, TEMPORAL_API_KEY: apiKey, SLIPWAY_MARK: mark } = env;
  const namespace = env['TEMPORAL_NAMESPACE'] || 'default';
  if (recorded !== null && (!named || named === recorded.address)) {
    const tls = recorded.certificates === undefined ? null : tlsOfDoor(recorded.certificates);
    return { address: recorded.address, namespace: 'default', ...(tls && { tls, mark: null }) };
  }
  if (!named) throw fail(servicesDown(home(env)));
  const tls = tlsOf(env);
  return { address: named, namespace, ...(tls && { tls }), ...(apiKey ? { apiKey } : {}), ...(mark ? { mark } : {}) };
}

function tlsOfDoor(folder: string): Tls {
  const fault = certificateFault(folder, 'client', Date.now());
  if (fault !== null) throw fail(doorCertificateUnusable(fault));
  const [ca, crt, key] = ['ca.pem', 'client.pem', 'client.key'].map((name) => readFileSync(join(folder, name)));
  return {
    serverNameOverride: SERVER_NAME,
    serverRootCACertificate: ca!,
    clientCertPair: { crt: crt!, key: key! },
  };
}

/** An API key alone enables TLS, as in Temporal's own tools. */
function tlsOf(env: Env): Tls | true | null {
  const pem = (name: string): Buffer | undefined => {
    const [text, path] = [env[`${name}_DATA`], env[`${name}_PATH`]];
    return text ? Buffer.from(text) : path ? read(`${name}_PATH`, path) : undefined;
  };
  const ca = pem('TEMPORAL_TLS_SERVER_CA_CERT');
  const crt = pem('TEMPORAL_TLS_CLIENT_CERT');
  const key = pem('TEMPORAL_TLS_CLIENT_KEY');
  const over = crt && expiry(crt, Date.now());
  if (over)
    throw fail(certificateExpired(env['TEMPORAL_TLS_CLIENT_CERT_PATH'] ?? 'TEMPORAL_TLS_CLIENT_CERT_DATA', over));
  const name = env['TEMPORAL_TLS_SERVER_NAME'];
  const tls: Tls = {
    ...(name ? { serverNameOverride: name } : {}),
    ...(ca && { serverRootCACertificate: ca }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  };
  if (Object.keys(tls).length > 0) return tls;
  const said = env['TEMPORAL_TLS']?.toLowerCase();
  if (said === 'false' || said === '0') return null;
  return said === 'true' || said === '1' || env['TEMPORAL_API_KEY'] ? true : null;
}

function read(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fail(certificateUnreadable(variable, path, (error as Error).message));
  }
}
