/** @needs tls-server openssl */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { packageRoot } from '../../src/adapters/home.js';
import { serverSettings } from '../../src/adapters/temporal/settings.js';
import { connectClient } from '../../src/client/connect.js';
import { CONVERTER } from '../support/converter.js';
import { slipway } from '../support/own-services.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { startTlsServer, withTlsServer, type Role, type TlsServer } from '../support/tls-server.js';

const DENIED = 7;
const namespace = 'default';

withTlsServer('a Temporal server with TLS and a certificate for each role', () => {
  let server: TlsServer;
  let home: string;
  const children: ChildProcess[] = [];
  const connections: Connection[] = [];

  const surroundings = (role: Role): Record<string, string> => ({
    ...{ PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', SLIPWAY_HOME: home },
    ...server.env(role),
  });
  const connect = async (env: Readonly<Record<string, string>>): Promise<Connection> => {
    const { address, tls } = serverSettings(env, null);
    const connection = await Connection.connect({ address, ...(tls !== undefined && { tls }), connectTimeout: 5_000 });
    connections.push(connection);
    return connection;
  };

  beforeAll(async () => {
    [server, home] = await Promise.all([startTlsServer(), homeWithWorkflows()]);
    const log = openSync(join(home, 'workers.log'), 'a');
    for (const [role, argv] of [
      ['control', ['--workflows']],
      ['control', ['--queue', 'control']],
      ['build', ['--queue', machineName()]],
    ] as const) {
      const main = join(packageRoot(), 'dist', 'workers', 'main.js');
      children.push(spawn(process.execPath, [main, ...argv], { env: surroundings(role), stdio: ['ignore', log, log] }));
    }
  });
  afterAll(async () => {
    children.forEach((child) => child.kill('SIGKILL'));
    await Promise.all(connections.map((connection) => connection.close()));
    await server?.stop();
  });

  test('[C1] given an operator, control workers and a build worker with their certificates, then a release runs', async () => {
    const folder = join(home, 'project');
    mkdirSync(folder);
    const text = `slipway: 1
release: { name: tls, version: '1.0' }
source: { git: . }
platforms: [linux-x86_64]
pythons: [cp311]
steps:
  hello: { run: 'echo hello', on: ${machineName()} }
`;
    writeFileSync(join(folder, 'slipway.yaml'), text);
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], { cwd: folder });
    git('init', '-q', '-b', 'main', '.');
    git('add', '.');
    git('commit', '-q', '-m', 'tls');
    const said = await slipway(folder, ['run', '--wait', '--on-hold', 'exit'], surroundings('operator'));
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('rehearsed  tls 1.0') as string });
  });

  const queue = (name: string) => ({ namespace, taskQueue: { name }, identity: 'rogue' });
  const release = { workflowType: { name: 'release' }, taskQueue: { name: 'control' }, requestId: 'r' };
  const execution = { workflowId: 'rehearsal/tls/1.0' };
  type Service = Connection['workflowService'];
  const REFUSED: readonly [Role, string, (service: Service) => Promise<unknown>][] = [
    ['build', 'take activities of control', (service) => service.pollActivityTaskQueue(queue('control'))],
    ['build', 'answer the watch over queues', (service) => service.pollActivityTaskQueue(queue('slipway-fleet'))],
    ['build', 'carry out workflows', (service) => service.pollWorkflowTaskQueue(queue('control'))],
    [
      'build',
      'start a release',
      (service) => service.startWorkflowExecution({ namespace, workflowId: 'w', ...release }),
    ],
    [
      'build',
      'approve',
      (service) => service.signalWorkflowExecution({ namespace, signalName: 'approve', workflowExecution: execution }),
    ],
    ['build', 'read histories', (service) => service.getWorkflowExecutionHistory({ namespace, execution })],
    [
      'control',
      'start a release',
      (service) => service.startWorkflowExecution({ namespace, workflowId: 'w', ...release }),
    ],
    ['operator', 'take activities', (service) => service.pollActivityTaskQueue(queue(machineName()))],
    [
      'operator',
      'start another workflow than a release',
      (service) =>
        service.startWorkflowExecution({
          namespace,
          workflowId: 'w',
          ...release,
          workflowType: { name: 'requestCancel' },
        }),
    ],
    ['operator', 'change the namespace', (service) => service.updateNamespace({ namespace })],
    [
      'operator',
      'send a signal over 64 kB',
      (service) =>
        service.signalWorkflowExecution({
          ...{ namespace, signalName: 'note', workflowExecution: execution },
          input: { payloads: [{ data: Buffer.alloc(70_000) }] },
        }),
    ],
  ];

  test.each(REFUSED)(
    '[C1] given the certificate of %s, when it tries to %s, then the server refuses and logs it',
    async (role, _, call) => {
      const { workflowService } = await connect(server.env(role));
      await expect(call(workflowService)).rejects.toMatchObject({ code: DENIED });
      expect(server.log()).toContain(`refused role="${role}"`);
    },
  );

  test('[C1] given no certificate, or one of another authority, then the connection is refused', async () => {
    const { TEMPORAL_TLS_CLIENT_CERT_PATH: _, TEMPORAL_TLS_CLIENT_KEY_PATH: __, ...bare } = server.env('operator');
    await expect(connect(bare)).rejects.toThrow();
    const own = join(home, 'own');
    const subject = ['-subj', '/CN=operator', '-keyout', `${own}.key`, '-out', `${own}.pem`];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-batch'];
    execFileSync('openssl', ['req', '-x509', ...key, ...subject], { stdio: 'ignore' });
    const foreign = { TEMPORAL_TLS_CLIENT_CERT_PATH: `${own}.pem`, TEMPORAL_TLS_CLIENT_KEY_PATH: `${own}.key` };
    await expect(connect({ ...bare, ...foreign })).rejects.toThrow();
    const refused = connectClient({
      ...serverSettings({ ...bare, ...foreign }, null),
      dataConverter: CONVERTER,
      connectTimeoutMs: 5_000,
    });
    await expect(refused).rejects.toMatchObject({ problems: [{ code: 'SERVER_UNREACHABLE' }] });
  });
});
