import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { addressOf, BRIDGE } from './network.mjs';
import { run, start, succeeds, until } from './processes.mjs';
import { BUCKET_PORT, TEMPORAL_PORT } from './tunnel.mjs';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];
const POSTGRES = '127.0.0.1:5432';
const BUCKET = 'releases';

/** PostgreSQL for Temporal, on 127.0.0.1 of control. */
export async function startPostgres(folder) {
  const [data, password, file] = [join(folder, 'postgres'), randomBytes(24).toString('hex'), join(folder, 'password')];
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(file, password, { mode: 0o600 });
  const owner = Number(run(null, ['id', '-u', 'postgres']));
  for (const path of [data, file]) chownSync(path, owner, owner);
  const options = [
    '--auth=scram-sha-256',
    `--pwfile=${file}`,
    '--username=temporal',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--no-sync',
  ];
  run('control', [...AS_POSTGRES, `${PROGRAMS}/initdb`, '-D', join(data, 'data'), ...options], { cwd: '/' });
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${data}`,
    '-c',
    'shared_buffers=32MB',
  ];
  const argv = [...AS_POSTGRES, `${PROGRAMS}/postgres`, '-D', join(data, 'data'), ...settings];
  const child = start(folder, 'postgres', 'control', argv, { cwd: '/' });
  const isReady = () => succeeds('control', [`${PROGRAMS}/pg_isready`, '-q', '-h', '127.0.0.1']);
  await until(child, isReady);
  return { PGUSER: 'temporal', PGPASSWORD: password };
}

/** Temporal with one certificate a role: docs/security.md#a-server-with-certificates-and-roles. */
export async function startTemporal(root, folder, login) {
  const bin = join(root, '.tools', 'go', 'bin');
  for (const [database, schema] of [
    ['temporal', 'temporal'],
    ['visibility', 'visibility'],
  ]) {
    const tool = (...argv) =>
      run(
        'control',
        [
          join(bin, 'temporal-sql-tool'),
          '--plugin',
          'postgres12',
          '--ep',
          '127.0.0.1',
          '--port',
          '5432',
          ...['--user', login.PGUSER, '--db', database],
          ...argv,
        ],
        {
          env: { SQL_PASSWORD: login.PGPASSWORD },
        },
      );
    tool('create');
    tool('setup-schema', '--version', '0.0');
    tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
  const server = join(folder, 'temporal');
  const main = join(root, 'tools', 'temporal-server', 'main.mjs');
  run('control', [process.execPath, main, server, '--port', String(TEMPORAL_PORT), '--postgres', POSTGRES], {
    env: login,
  });
  const child = start(folder, 'temporal', 'control', [join(bin, 'temporal-server'), join(server, 'server.yaml')]);
  const asServer = { env: roleEnv(folder, 'server', `127.0.0.1:${TEMPORAL_PORT}`) };
  const cli = join(root, '.tools', 'bin', 'temporal');
  const says = (...argv) => succeeds('control', [cli, 'operator', ...argv], asServer);
  await until(child, () => says('cluster', 'health'));
  await until(child, () => says('namespace', 'create', '--namespace', 'default'));
  const { SEARCH_ATTRIBUTES } = createRequire(import.meta.url)(
    join(root, 'dist', 'services', 'catalog', 'temporal.js'),
  );
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES))
    await until(child, () => says('search-attribute', 'create', '--name', name, '--type', type));
}

/** Variables of a program with a role, by the names of Temporal's own tools. */
export function roleEnv(folder, role, address = `${addressOf('control')}:${TEMPORAL_PORT}`) {
  const at = (file) => join(folder, 'temporal', file);
  return {
    ...{
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TLS_SERVER_NAME: 'temporal',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: at('clients.pem'),
    },
    ...{ TEMPORAL_TLS_CLIENT_CERT_PATH: at(`${role}.pem`), TEMPORAL_TLS_CLIENT_KEY_PATH: at(`${role}.key`) },
  };
}

/** The bucket, behind TLS. Answers the variables of docs/store.md. */
export async function startBucket(root, folder, certificates) {
  const address = `${addressOf('control')}:${BUCKET_PORT}`;
  const key = { ROOT_ACCESS_KEY: randomBytes(10).toString('hex'), ROOT_SECRET_KEY: randomBytes(32).toString('hex') };
  const objects = join(folder, 's3');
  mkdirSync(join(objects, BUCKET), { recursive: true });
  const tls = ['--cert', join(certificates, 's3.pem'), '--key', join(certificates, 's3.key')];
  const argv = ['--port', address, ...tls, '--health', '/health', '--quiet', 'posix', objects];
  const child = start(folder, 's3', 'control', [join(root, '.tools', 'go', 'bin', 'versitygw'), ...argv], { env: key });
  const ca = join(certificates, 'hosts.pem');
  await until(child, () => succeeds('control', ['curl', '-sf', '--cacert', ca, `https://${address}/health`]));
  const known = process.env.NODE_EXTRA_CA_CERTS;
  writeFileSync(
    join(folder, 'authorities.pem'),
    [ca, ...(known ? [known] : [])].map((file) => readFileSync(file, 'utf8')).join('\n'),
  );
  return {
    ...{ SLIPWAY_STORE: `s3://${BUCKET}/slipway`, SLIPWAY_S3_ENDPOINT: `https://${address}`, AWS_REGION: 'us-east-1' },
    ...{ AWS_ACCESS_KEY_ID: key.ROOT_ACCESS_KEY, AWS_SECRET_ACCESS_KEY: key.ROOT_SECRET_KEY },
    NODE_EXTRA_CA_CERTS: join(folder, 'authorities.pem'),
  };
}

/** Certificates of the services and of the builders' ends of the tunnel, by an authority that Temporal does not know. */
export function makeCertificates(root, folder) {
  mkdirSync(folder, { mode: 0o700 });
  const certificates = createRequire(import.meta.url)(join(root, 'dist', 'services', 'certificates.js'));
  const server = (name) => ({
    by: 'hosts',
    more: [`subjectAltName=DNS:${name},IP:${addressOf('control')},IP:${BRIDGE.address}`, 'extendedKeyUsage=serverAuth'],
  });
  const client = { by: 'hosts', more: ['extendedKeyUsage=clientAuth'] };
  certificates.makeCertificates(folder, ['hosts'], {
    services: server('services'),
    s3: server('s3'),
    'build-x86': client,
    'build-arm': client,
  });
}
