// Writes what a Temporal server with TLS and roles needs into a folder: certificates, settings, SQLite database or the address of PostgreSQL.
//   npm run tls-server                                          builds the server
//   node tools/temporal-server/main.mjs FOLDER [--port 7233] [--postgres HOST:PORT]    writes FOLDER and prints how to start it;
//     PGUSER and PGPASSWORD are those of the databases `temporal` and `visibility`
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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

/** On PostgreSQL the server writes its ports as a smallint. */
const MOST_ON_POSTGRES = 32_767;

/** A port that is free now, at most `MOST_ON_POSTGRES`. */
async function freePort(taken) {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
}
const isFree = (port) =>
  new Promise((done) => {
    const server = createServer().once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });

/** Options by name, or null. */
function optionsOf(argv) {
  try {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS });
    const port = /^\d+$/.test(values.port) ? Number(values.port) : 0;
    const { PGUSER: user = 'temporal', PGPASSWORD: password = '' } = process.env;
    const postgres = values.postgres && { address: values.postgres, user, password };
    const isPort = port > 0 && port <= (postgres ? MOST_ON_POSTGRES : 65_535);
    return positionals.length === 1 && isPort ? { named: positionals[0], port, postgres } : null;
  } catch {
    return null;
  }
}
const OPTIONS = { port: { type: 'string', default: '7233' }, postgres: { type: 'string' } };

async function main(argv) {
  const asked = optionsOf(argv);
  if (asked === null) {
    console.error('usage: node tools/temporal-server/main.mjs FOLDER [--port 7233] [--postgres HOST:PORT]');
    console.error(`a port is a number from 1 to 65535, with --postgres to ${MOST_ON_POSTGRES}`);
    return 2;
  }
  const { named, port, postgres } = asked;
  const folder = resolve(named);
  if (existsSync(join(folder, 'server.yaml'))) {
    console.error(`${join(folder, 'server.yaml')} is there already; name another folder, or remove this one`);
    return 2;
  }
  process.umask(0o077);
  mkdirSync(folder, { recursive: true });
  makeCertificates(folder, ['clients', 'internode-ca'], CERTIFICATES);
  const ports = { frontend: port };
  for (const name of INTERNAL) ports[name] = await freePort(Object.values(ports));
  const values = Object.entries(DYNAMIC_CONFIG).map(([key, one]) => `${key}:\n  - value: ${one}\n`);
  writeFileSync(join(folder, 'dynamic.yaml'), values.join(''));
  writeFileSync(join(folder, 'server.yaml'), settings(folder, ports, postgres));
  console.log(`${join(root, '.tools', 'go', 'bin', 'temporal-server')} ${join(folder, 'server.yaml')}`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
