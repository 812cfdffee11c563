import { createSocket } from 'node:dgram';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BRIDGE } from './network.mjs';
import { resolveBy, start } from './processes.mjs';
import { STREAM } from './tunnel.mjs';

/** Builds read package registries, and the namespaces have no route to them. So each name has one address there, that of the bridge,
 * and nginx on it hands a connection on by the name that it begins with: TLS unopened on 443, HTTP on 80. */
export async function openGateway(folder) {
  const dns = createSocket('udp4').on('message', (query, { port, address }) =>
    dns.send(answerTo(query), port, address),
  );
  await new Promise((done, refuse) => dns.once('error', refuse).bind(53, BRIDGE.address, done));
  const config = join(folder, 'gateway.conf');
  writeFileSync(config, gatewayConfig(folder, resolverOfMachine()));
  start(folder, 'gateway', null, ['/usr/sbin/nginx', '-e', 'stderr', '-p', folder, '-c', config]);
  const file = join(folder, 'resolv.conf');
  writeFileSync(file, `nameserver ${BRIDGE.address}\n`);
  chmodSync(file, 0o644);
  resolveBy(file);
  return () => dns.close();
}

const resolverOfMachine = () =>
  /^nameserver\s+([\d.]+)/m.exec(readFileSync('/etc/resolv.conf', 'utf8'))?.[1] ?? '127.0.0.53';

/** An answer with the bridge's address for a question of type A, and with none for any other (RFC 1035, 4.1). */
function answerTo(query) {
  let at = 12;
  while (query[at] > 0) at += query[at] + 1;
  const isA = query.readUInt16BE(at + 1) === 1;
  const head = Buffer.from([query[0], query[1], 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...BRIDGE.address.split('.').map(Number)];
  return Buffer.concat([head, query.subarray(12, at + 5), Buffer.from(isA ? record : [])]);
}

const gatewayConfig = (folder, resolver) => `${STREAM}
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
  server { listen ${BRIDGE.address}:80; location / { proxy_pass http://$host$request_uri; proxy_set_header Host $host; } }
}
`;
