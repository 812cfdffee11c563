import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../support/pages.js';
import { askModule } from './a-module.js';

const blocksOf = (name: string, expression: string): readonly string[] =>
  askModule(name, expression) as readonly string[];

test('given names of package registries, then the resolver of the hosts answers each with its own address, and no address of IPv6', async () => {
  const dns = spawn(process.execPath, [join(ROOT, 'tools/hosts/dns.mjs'), '127.0.0.1', '0']);
  try {
    const [port] = (await once(createInterface(dns.stdout), 'line')) as [string];
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${port}`]);
    expect(await resolver.resolve4('pypi.example')).toEqual(['127.0.0.1']);
    expect(await resolver.resolve4('a.long.name.of-a.registry.example')).toEqual(['127.0.0.1']);
    await expect(resolver.resolve6('pypi.example')).rejects.toThrow('ENODATA');
  } finally {
    dns.kill();
    await once(dns, 'close');
  }
});

test('given the gateway, then it opens no TLS: a connection goes to the name that it asks for', () => {
  const config = askModule('gateway.mjs', "all.gatewayConfig('/folder', '192.0.2.53')") as string;
  expect(config).toContain('listen 10.213.7.1:443; ssl_preread on; proxy_pass $ssl_preread_server_name:443;');
  expect(config).not.toContain('ssl_certificate');
  expect(config.match(/resolver 192\.0\.2\.53 ipv6=off;/g)).toHaveLength(2);
});

test('given the services of control, then each one at another address than 127.0.0.1 asks for a certificate; Temporal asks itself', () => {
  const [temporal, ...services] = blocksOf('tunnel.mjs', "all.serversOfControl('/certificates')");
  expect(temporal).toBe('server { listen 10.213.7.11:7233; proxy_pass 127.0.0.1:7233; }');
  expect(services).toHaveLength(5);
  for (const one of services) {
    expect(one).toMatch(/listen 10\.213\.7\.11:1\d{4} ssl;/);
    expect(one).toContain('ssl_client_certificate /certificates/hosts.pem;\n    ssl_verify_client on;');
  }
});

test('given a builder, then each service has its address of control there, and the certificate of control is checked', () => {
  const near = blocksOf('tunnel.mjs', "all.serversOfBuilder('build-arm', '/certificates')");
  const far = blocksOf('tunnel.mjs', "all.serversOfControl('/certificates')").slice(1);
  const pairs = near.map((one) => [/listen (\S+);/, /proxy_pass (\S+);/].map((part) => part.exec(one)![1]));
  expect(pairs).toEqual(far.map((one) => [/proxy_pass (\S+);/, /listen (\S+) ssl;/].map((part) => part.exec(one)![1])));
  for (const one of near) {
    expect(one).toContain('proxy_ssl_certificate /certificates/build-arm.pem;');
    expect(one).toMatch(/proxy_ssl_verify on;\n *proxy_ssl_name services;/);
  }
});
