// Writes what a Temporal server with TLS and roles needs into a folder: certificates, settings, SQLite database.
//   npm run tls-server                                          builds the server
//   node tools/temporal-server/main.mjs FOLDER [--port 7233]    writes FOLDER and prints how to start it
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settings } from './settings.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = createRequire(join(root, 'dist', 'x.js'));
const { DYNAMIC_CONFIG } = load('./services/catalog/temporal.js');
const { makeCertificates, SERVER_NAMES } = load('./services/certificates.js');
const INTERNAL = ['history', 'matching', 'worker', 'frontendRing', 'historyRing', 'matchingRing', 'workerRing'];

/** One certificate for each role. Between the server's own parts another authority counts: no role's certificate opens
 * those ports. */
const role = { by: 'clients', more: ['extendedKeyUsage=clientAuth'] };
const servers = [SERVER_NAMES, 'extendedKeyUsage=serverAuth,clientAuth'];
const CERTIFICATES = {
  server: { by: 'clients', more: servers },
  ...{ operator: role, control: role, build: role, door: role },
  internode: { by: 'internode-ca', more: servers },
};

/** A port that is free now. */
const freePort = () =>
  new Promise((done, refuse) => {
    const server = createServer().once('error', refuse);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

async function main([named, option, value]) {
  const port = option === '--port' ? Number(value) : 7233;
  if (named === undefined || (option !== undefined && option !== '--port') || !Number.isInteger(port)) {
    console.error('usage: node tools/temporal-server/main.mjs FOLDER [--port 7233]');
    return 2;
  }
  const folder = resolve(named);
  if (existsSync(join(folder, 'server.yaml'))) {
    console.error(`${join(folder, 'server.yaml')} is there already; name another folder, or remove this one`);
    return 2;
  }
  process.umask(0o077);
  mkdirSync(folder, { recursive: true });
  makeCertificates(folder, ['clients', 'internode-ca'], CERTIFICATES);
  const ports = { frontend: port };
  for (const name of INTERNAL) ports[name] = await freePort();
  const values = Object.entries(DYNAMIC_CONFIG).map(([key, one]) => `${key}:\n  - value: ${one}\n`);
  writeFileSync(join(folder, 'dynamic.yaml'), values.join(''));
  writeFileSync(join(folder, 'server.yaml'), settings(folder, ports));
  console.log(`${join(root, '.tools', 'go', 'bin', 'temporal-server')} ${join(folder, 'server.yaml')}`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
