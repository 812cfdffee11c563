import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, controlFor } from './network.mjs';
import { start } from './processes.mjs';

export const STREAM = 'load_module /usr/lib/nginx/modules/ngx_stream_module.so;';

/** Ports of the services of `slipway up` on 127.0.0.1 of control (WISHES in src/services/free-ports.ts). A namespace has all to itself. */
const SERVICES = { index: 3141, maven: 8081, wheels: 8082, registry: 5000, staging: 5001 };
export const TEMPORAL_PORT = 7233;
/** Returns the port at which control takes connections of other hosts for a service. */
const outside = (port) => port + 10_000;
export const BUCKET_PORT = 7070;
/** Ports of control that builders use. */
export const PORTS = [TEMPORAL_PORT, BUCKET_PORT, ...Object.values(SERVICES).map(outside)];

/** On control: hands Temporal's port on as it is, since Temporal asks for certificates itself, and the services behind certificates of
 * our own. */
export const openServices = (folder, certificates) => open(folder, 'control', serversOfControl(certificates));

export function serversOfControl(certificates) {
  const servers = Object.values(SERVICES).map(
    (port) => `server {
    listen ${addressOf('control')}:${outside(port)} ssl;
    ssl_certificate ${certificates}/services.pem;
    ssl_certificate_key ${certificates}/services.key;
    ssl_client_certificate ${certificates}/hosts.pem;
    ssl_verify_client on;
    proxy_pass 127.0.0.1:${port};
  }`,
  );
  const temporal = `server { listen ${addressOf('control')}:${TEMPORAL_PORT}; proxy_pass 127.0.0.1:${TEMPORAL_PORT}; }`;
  return [temporal, ...servers];
}

/** On a builder: the services have the same addresses as on control, so those that control signed in the store lead there. */
export const reachServices = (folder, host, certificates) => open(folder, host, serversOfBuilder(host, certificates));

export const serversOfBuilder = (host, certificates) =>
  Object.values(SERVICES).map(
    (port) => `server {
    listen 127.0.0.1:${port};
    proxy_pass ${controlFor(host)}:${outside(port)};
    proxy_connect_timeout 5s;
    proxy_ssl on;
    proxy_ssl_certificate ${certificates}/${host}.pem;
    proxy_ssl_certificate_key ${certificates}/${host}.key;
    proxy_ssl_trusted_certificate ${certificates}/hosts.pem;
    proxy_ssl_verify on;
    proxy_ssl_name services;
  }`,
  );

function open(folder, host, servers) {
  const config = join(folder, `tunnel-${host}.conf`);
  const text = `${STREAM}
user root;
daemon off;
pid ${folder}/tunnel-${host}.pid;
events {}
stream {
  ${servers.join('\n  ')}
}
`;
  writeFileSync(config, text);
  start(folder, `tunnel-${host}`, host, ['/usr/sbin/nginx', '-e', 'stderr', '-p', folder, '-c', config]);
}
