import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configFile, doorFolder } from '../../adapters/home.js';
import { SERVER_NAME } from '../../adapters/temporal/certificates.js';
import { fail } from '../../model/failure.js';
import { keepDoorCertificates } from '../certificates.js';
import { toolsMissing } from '../errors.js';
import { keptSecret, writeAtomically } from '../files.js';
import { socketOf } from '../engine-folder.js';
import { accessLogFile, logFile, pageKeyFile } from '../folders.js';
import type { Context } from './context.js';
import type { Ports } from '../free-ports.js';
import { CODEC_PATH, codecAuthorization, pageProxy } from './page-proxy.js';

const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so';
/** Program of the door: its name, Debian's package, and a file of it. */
const NEEDS = [
  ["nginx's module `stream`", 'libnginx-mod-stream', STREAM_MODULE],
  ['the program `openssl`', 'openssl', '/usr/bin/openssl'],
] as const;
const NGINX_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Writes what the door needs: certificates, secrets of the page, nginx's configuration, and the file that
 * TEMPORAL_CONFIG_FILE names. Throws TOOLS_MISSING.
 * @returns whether the certificates are new */
export function prepareDoor(context: Context, sealed: boolean): boolean {
  const { home, ports } = context;
  const folder = doorFolder(home);
  mkdirSync(join(folder, 'tmp'), { recursive: true, mode: 0o700 });
  const absent = NEEDS.find(([, , file]) => !existsSync(file));
  if (sealed && absent !== undefined) throw fail(toolsMissing(`${absent[0]} (${absent[2]})`, absent[1]));
  const isNew = sealed && keepDoorCertificates(folder);
  const secrets = { key: keptSecret(pageKeyFile(home)), cookie: randomBytes(32).toString('hex') };
  const places = { upstream: ports.page, codec: socketOf(home, 'codec'), refusals: accessLogFile(home, 'ui') };
  const page = pageProxy({ port: ports.ui, ...places, ...secrets });
  writeAtomically(join(folder, 'nginx.conf'), doorConfig(context, page, sealed));
  writeAtomically(configFile(home), clientConfig(ports, secrets.key, sealed ? folder : null), 0o600);
  return isNew;
}

/** Configuration that the `temporal` CLI and Temporal's SDKs read. */
const clientConfig = ({ temporal, ui }: Ports, key: string, folder: string | null): string => {
  const at = (name: string): string => JSON.stringify(join(folder ?? '', name));
  const tls = `
[profile.default.tls]
server_name = "${SERVER_NAME}"
server_ca_cert_path = ${at('ca.pem')}
client_cert_path = ${at('client.pem')}
client_key_path = ${at('client.key')}
`;
  const codec = `
[profile.default.codec]
endpoint = "http://127.0.0.1:${ui}${CODEC_PATH}"
auth = "${codecAuthorization(key)}"
`;
  return `[profile.default]\naddress = "127.0.0.1:${temporal}"\nnamespace = "default"\n${codec}${folder === null ? '' : tls}`;
};

/** nginx configuration of the home's door: TLS with a client certificate before Temporal, a cookie before its page.
 * nginx inherits the sockets that it listens on. Its upstreams have the same ports, in the namespace. */
const doorConfig = ({ home, ports, isRoot }: Context, page: string, sealed: boolean): string => `daemon off;
${isRoot ? 'user root;' : ''}
${sealed ? `load_module ${STREAM_MODULE};` : ''}
pid "${doorFolder(home)}/nginx.pid";
error_log "${logFile(home, 'temporal')}" warn;
worker_processes 1;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
${sealed ? stream(doorFolder(home), ports.temporal) : ''}
http {
  client_max_body_size 0;
  client_header_timeout 5s;
${NGINX_FOLDERS.map((name) => `  ${name}_temp_path "${join(doorFolder(home), 'tmp', name)}";`).join('\n')}
${page}
}
`;

/** Bytes pass unread, so that no limit of HTTP applies to a poll or a long connection. A connection without a
 * certificate ends soon, so that no other user fills the door. */
const stream = (folder: string, port: number): string => `stream {
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_protocols TLSv1.3;
    ssl_certificate "${folder}/server.pem";
    ssl_certificate_key "${folder}/server.key";
    ssl_client_certificate "${folder}/ca.pem";
    ssl_verify_client on;
    ssl_alpn h2;
    ssl_handshake_timeout 5s;
    tcp_nodelay on;
    proxy_pass 127.0.0.1:${port};
    proxy_timeout 1d;
  }
}`;
