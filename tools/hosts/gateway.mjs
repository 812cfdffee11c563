import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BRIDGE } from './network.mjs';
import { resolveBy, start } from './processes.mjs';
import { STREAM } from './tunnel.mjs';

/** Builds read package registries, and the namespaces have no route to them. So each name has one address there, that of the bridge,
 * and nginx on it hands a connection on by the name that it begins with: TLS unopened on 443, HTTP on 80. */
export function openGateway(folder) {
  // A process of its own: this one stands still while a command of it runs.
  const dns = fileURLToPath(new URL('dns.mjs', import.meta.url));
  start(folder, 'dns', null, [process.execPath, dns, BRIDGE.address, '53']);
  const config = join(folder, 'gateway.conf');
  writeFileSync(config, gatewayConfig(folder, resolverOfMachine()));
  start(folder, 'gateway', null, ['/usr/sbin/nginx', '-e', 'stderr', '-p', folder, '-c', config]);
  const file = join(folder, 'resolv.conf');
  writeFileSync(file, `nameserver ${BRIDGE.address}\n`);
  chmodSync(file, 0o644);
  resolveBy(file);
}

const resolverOfMachine = () =>
  /^nameserver\s+([\d.]+)/m.exec(readFileSync('/etc/resolv.conf', 'utf8'))?.[1] ?? '127.0.0.53';

export const gatewayConfig = (folder, resolver) => `${STREAM}
user root;
daemon off;
pid ${folder}/gateway.pid;
events {}
stream {
  resolver ${resolver} ipv6=off;
  server { listen ${BRIDGE.address}:443; ssl_preread on; proxy_pass $ssl_preread_server_name:443; }
}
http {
  resolver ${resolver} ipv6=off;
  access_log off;
  client_body_temp_path ${folder}/gateway-tmp;
  proxy_temp_path ${folder}/gateway-tmp;
  fastcgi_temp_path ${folder}/gateway-tmp;
  uwsgi_temp_path ${folder}/gateway-tmp;
  scgi_temp_path ${folder}/gateway-tmp;
  server { listen ${BRIDGE.address}:80; location / { proxy_pass http://$host$request_uri; proxy_set_header Host $host; proxy_http_version 1.1; } }
}
`;
