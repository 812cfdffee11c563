import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, toolsBin } from '../../src/adapters/home.js';
import { SEARCH_ATTRIBUTES } from '../../src/services/catalog/temporal.js';
import { freePort } from './free-port.js';
import { newHome } from './run-body.js';
import { until } from './until.js';

const program = join(toolsBin(), '..', 'go', 'bin', 'temporal-server');

/** Suites with the server run where it was built. */
export const withTlsServer = (title: string, suite: () => void): void =>
  existsSync(program)
    ? describe(title, suite)
    : describe.skip(`${title} (no server: \`npm run tls-server\` builds it)`, suite);

export type Role = 'server' | 'operator' | 'control' | 'build' | 'door';

export interface TlsServer {
  readonly address: string;
  readonly folder: string;
  /** Environment of a program with the role. */
  env(role: Role): Readonly<Record<string, string>>;
  log(): string;
  stop(): Promise<void>;
}

/** Temporal's production server on SQLite, with TLS and the roles of tools/temporal-server. */
export async function startTlsServer(): Promise<TlsServer> {
  const folder = join(await newHome(), 'server');
  const port = await freePort();
  const main = join(packageRoot(), 'tools', 'temporal-server', 'main.mjs');
  execFileSync(process.execPath, [main, folder, '--port', String(port)], { stdio: 'ignore' });
  const log = join(folder, 'server.log');
  const out = openSync(log, 'a');
  const child: ChildProcess = spawn(program, [join(folder, 'server.yaml')], { stdio: ['ignore', out, out] });
  const server: TlsServer = {
    address: `127.0.0.1:${port}`,
    folder,
    env: (role) => ({
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(folder, 'clients.pem'),
      TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, `${role}.pem`),
      TEMPORAL_TLS_CLIENT_KEY_PATH: join(folder, `${role}.key`),
      TEMPORAL_TLS_SERVER_NAME: 'temporal',
    }),
    log: () => readFileSync(log, 'utf8'),
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
  await until(() => says(server, 'operator', 'cluster', 'health'));
  await until(() => says(server, 'operator', 'namespace', 'create', '--namespace', 'default'));
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES))
    await until(() => says(server, 'operator', 'search-attribute', 'create', '--name', name, '--type', type));
  return server;
}

/** The set-up that a new server needs, with the server's own certificate. */
function says(server: TlsServer, ...args: readonly string[]): boolean {
  const { TEMPORAL_ADDRESS: address, ...tls } = server.env('server');
  const files = ['ca', 'cert', 'key'].map((name, at) => [`--tls-${name}-path`, Object.values(tls)[at]!]).flat();
  const argv = [...args, '--address', address!, '--tls', ...files, '--tls-server-name', 'temporal'];
  try {
    execFileSync(join(toolsBin(), 'temporal'), argv, { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
