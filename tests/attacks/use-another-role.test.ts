/** @long @needs tls-server openssl */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { createIndexWriter } from '../../src/adapters/temporal/index-writer.js';
import type { ConnectOptions } from '../../src/client/index.js';
import { serverSettings } from '../../src/adapters/temporal/settings.js';
import { openConnection } from '../../src/client/open.js';
import { keepPoll, startComment } from '../../src/features/campaigns/node/door/start-comment.js';
import { CONVERTER } from '../support/converter.js';
import { slipway } from '../support/own-services.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { startTlsServer, withTlsServer, type Role, type TlsServer } from '../support/tls-server.js';
import { until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';

function serverOf(env: Parameters<typeof serverSettings>[0]): ConnectOptions {
  const { mark: _, ...server } = serverSettings(env, null);
  return server;
}

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
    for (const [role, argv] of [
      ['control', ['--workflows']],
      ['control', ['--queue', 'control']],
      ['build', ['--queue', machineName()]],
    ] as const) {
      children.push(startWorkerProcess(argv, surroundings(role)));
    }
    const seen = await until(() => connect(server.env('control')).catch(() => null));
    await untilServed(seen, 'control', machineName());
  });
  afterAll(async () => {
    children.forEach((child) => child.kill('SIGKILL'));
    await Promise.all(connections.map((connection) => connection.close()));
    await server?.stop();
  });

  function project(head: string): string {
    const folder = mkdtempSync(join(home, 'project-'));
    const text = `slipway: 1
${head}
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
    return folder;
  }

  test('[C1] given an operator, control workers and a build worker with their certificates, then a release runs', async () => {
    const folder = project(`release: { name: tls, version: '1.0' }`);
    const said = await slipway(folder, ['run', '--wait', '--on-hold', 'exit'], surroundings('operator'));
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('rehearsed  tls 1.0') as string });
  });

  test.each([
    ['build', 'control', 'control'],
    ['operator', machineName(), 'build'],
    ['build', 'workflows', 'control'],
  ] as const)(
    '[C1] given a certificate of %s, when a worker is to serve %s, then it ends, names both, and asks for a certificate of %s',
    async (role, queue, wanted) => {
      const { code, stderr } = await slipway(home, ['worker', 'start', '--queues', queue], surroundings(role));
      expect(code).toBe(1);
      expect(stderr).toContain(`does not let a certificate of ${role} serve the queue ${queue}`);
      expect(stderr).toContain(`those of the role ${wanted}, or name queues of the role ${role}`);
    },
  );

  test('[C1] given an operator, when it makes a schedule of a pipeline, then the start of that is a run', async () => {
    const folder = project('pipeline: { name: tide, label: minute }');
    const says = (...args: readonly string[]) => slipway(folder, ['schedule', ...args], surroundings('operator'));
    expect(await says('slipway.yaml', '--every', '365d')).toMatchObject({ code: 0 });
    const { workflowService } = await connect(server.env('operator'));
    const patch = { triggerImmediately: {} };
    await workflowService.patchSchedule({ namespace, scheduleId: 'pipeline/tide', patch, requestId: 't' });
    await until(async () => /done +pipeline\/tide-/.test((await says('list')).stdout));
    expect(await says('delete', 'tide')).toMatchObject({ code: 0 });
  });

  test('[C1] given a control worker, when it asks for pages of an index, then the writer of that index answers', async () => {
    const { address, tls } = serverSettings(server.env('control'), null);
    const connection = await Connection.connect({ address, ...(tls !== undefined && { tls }) });
    connections.push(connection);
    const writer = createIndexWriter(new Client({ connection, dataConverter: CONVERTER }));
    const plan = `sha256:${'a'.repeat(64)}` as const;
    const asked = writer.list('/srv/wheels', { plan, step: 'publish/cache', run: 'r', names: ['debian-12/boat'] });
    await expect(asked).rejects.toMatchObject({ problems: [{ code: expect.stringMatching(/^PLAN_/) as string }] });
  });

  test('[C1] given the door of comments, then a delivery starts its workflow, and the door runs without the schedule of a poll', async () => {
    const { client } = await openConnection(serverOf(server.env('door')));
    await startComment(client)({ repository: 'skiff/boat', comment: 8 });
    await startComment(client)({ repository: 'skiff/boat', comment: 8 });
    await expect(keepPoll(client, 'skiff/boat', 3_600_000)).resolves.toBe(false);
    await expect(keepPoll(client, 'skiff/boat', 'off')).resolves.toBe(false);
    await client.connection.close();
  });

  test('[C1] given an operator, when it makes the schedule of a poll, then that starts polls', async () => {
    const { client } = await openConnection(serverOf(server.env('operator')));
    await expect(keepPoll(client, 'skiff/boat', 3_600_000)).resolves.toBe(true);
    const poll = client.schedule.getHandle('comments/skiff/boat');
    await poll.trigger('SKIP');
    await until(async () => (await poll.describe()).info.recentActions.length > 0);
    await poll.delete();
    await client.connection.close();
  });

  const queue = (name: string) => ({ namespace, taskQueue: { name }, identity: 'rogue' });
  const release = { workflowType: { name: 'release' }, taskQueue: { name: 'control' }, requestId: 'r' };
  const execution = { workflowId: 'rehearsal/tls/1.0' };
  const schedule = (type: string) => ({
    ...{ namespace, scheduleId: 's', requestId: 'r' },
    schedule: { action: { startWorkflow: { ...release, workflowId: 'w', workflowType: { name: type } } } },
  });
  const INDEX = 'index/srv/wheels-1f2e3d4c';
  /** A start with an update, as a publish step sends it. */
  const listing = (start: object, updated = INDEX) => ({
    namespace,
    operations: [
      { startWorkflow: { namespace, workflowId: INDEX, ...release, workflowType: { name: 'index' }, ...start } },
      {
        updateWorkflow: {
          ...{ namespace, workflowExecution: { workflowId: updated } },
          request: { meta: { updateId: 'u' }, input: { name: 'send', args: { payloads: [] } } },
        },
      },
    ],
  });
  const COMMENT = 'comment/skiff/boat/7';
  const started = (workflowId: string, type: string) => ({
    ...{ namespace, ...release, workflowId, workflowType: { name: type } },
  });
  /** The server keeps a schedule as this workflow, which takes another one by the signal `update`. */
  const SCHEDULER = 'temporal-sys-scheduler:pipeline/drift';
  type Service = Connection['workflowService'];
  const REFUSED: readonly [Role, string, (service: Service) => Promise<unknown>][] = [
    ['build', 'take activities of control', (service) => service.pollActivityTaskQueue(queue('control'))],
    ['build', 'answer the watch over queues', (service) => service.pollActivityTaskQueue(queue('slipway-fleet'))],
    [
      'build',
      'answer for the server in our namespace',
      (service) => service.pollActivityTaskQueue(queue('temporal-sys-per-ns-tq')),
    ],
    [
      'build',
      "take activities in the server's own namespace",
      (service) => service.pollActivityTaskQueue({ ...queue('default-worker-tq'), namespace: 'temporal-system' }),
    ],
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
      'control',
      'start the writer of an index on a queue of builds',
      (service) => service.executeMultiOperation(listing({ taskQueue: queue('x').taskQueue })),
    ],
    [
      'control',
      'update a run as if it were the writer of an index',
      (service) =>
        service.executeMultiOperation(listing({ ...execution, workflowIdConflictPolicy: 2 }, execution.workflowId)),
    ],
    [
      'control',
      'update a run beside the start of a writer',
      (service) => service.executeMultiOperation(listing({}, execution.workflowId)),
    ],
    [
      'control',
      'start a bisect by an update',
      (service) => service.executeMultiOperation(listing({ ...started('bisect/a/b/c', 'bisect') }, 'bisect/a/b/c')),
    ],
    [
      'control',
      'send an operation that is nothing',
      (service) => service.executeMultiOperation({ namespace, operations: [{}] }),
    ],
    [
      'control',
      'take the id of a run for the writer of an index',
      (service) => service.startWorkflowExecution(started(execution.workflowId, 'index')),
    ],
    [
      'operator',
      'take the id of the writer of an index for a release',
      (service) => service.startWorkflowExecution(started(INDEX, 'release')),
    ],
    [
      'operator',
      'schedule a pipeline under the id of a release',
      (service) => service.createSchedule(schedule('pipeline')),
    ],
    [
      'control',
      'start a release by an update',
      (service) => service.executeMultiOperation(listing({ workflowType: { name: 'release' } })),
    ],
    ['control', 'make a schedule', (service) => service.createSchedule(schedule('pipeline'))],
    ['build', 'list schedules', (service) => service.listSchedules({ namespace })],
    ['operator', 'schedule a release', (service) => service.createSchedule(schedule('release'))],
    ['operator', 'schedule a cancel', (service) => service.updateSchedule(schedule('requestCancel'))],
    ['operator', 'schedule nothing that is known', (service) => service.createSchedule({ namespace, scheduleId: 's' })],
    [
      'operator',
      'start another workflow than a run',
      (service) =>
        service.startWorkflowExecution({
          namespace,
          workflowId: 'w',
          ...release,
          workflowType: { name: 'requestCancel' },
        }),
    ],
    [
      'operator',
      'change what a schedule starts by a signal to the workflow behind it',
      (service) =>
        service.signalWorkflowExecution({
          ...{ namespace, signalName: 'update', workflowExecution: { workflowId: SCHEDULER } },
        }),
    ],
    [
      'operator',
      'end the workflow behind a schedule',
      (service) => service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId: SCHEDULER } }),
    ],
    [
      'operator',
      "start a release in the server's own namespace",
      (service) => service.startWorkflowExecution({ ...started('release/x', 'release'), namespace: 'temporal-system' }),
    ],
    ['door', 'start a release', (service) => service.startWorkflowExecution(started('release/x/1', 'release'))],
    ['door', 'start a pipeline', (service) => service.startWorkflowExecution(started('pipeline/x/1', 'pipeline'))],
    [
      'door',
      'take the id of a run for a comment',
      (service) => service.startWorkflowExecution(started(execution.workflowId, 'comment')),
    ],
    [
      'door',
      'start a comment on a queue of builds',
      (service) => service.startWorkflowExecution({ ...started(COMMENT, 'comment'), ...queue('x') }),
    ],
    ['door', 'poll for comments', (service) => service.startWorkflowExecution(started('comments/a/b', 'comments'))],
    [
      'door',
      'start a comment together with an update of a run',
      (service) => service.executeMultiOperation(listing(started(COMMENT, 'comment'), execution.workflowId)),
    ],
    [
      'door',
      'start a comment by a signal',
      (service) => service.signalWithStartWorkflowExecution({ ...started(COMMENT, 'comment'), signalName: 'approve' }),
    ],
    [
      'door',
      'approve',
      (service) => service.signalWorkflowExecution({ namespace, signalName: 'approve', workflowExecution: execution }),
    ],
    [
      'door',
      'send an action to a run',
      (service) =>
        service.updateWorkflowExecution({
          ...{ namespace, workflowExecution: execution },
          request: { meta: { updateId: 'u' }, input: { name: 'send', args: { payloads: [] } } },
        }),
    ],
    [
      'door',
      'cancel a run',
      (service) => service.requestCancelWorkflowExecution({ namespace, workflowExecution: execution }),
    ],
    ['door', 'end a run', (service) => service.terminateWorkflowExecution({ namespace, workflowExecution: execution })],
    ['door', 'read histories', (service) => service.getWorkflowExecutionHistory({ namespace, execution })],
    ['door', 'list runs', (service) => service.listWorkflowExecutions({ namespace })],
    ['door', 'take activities', (service) => service.pollActivityTaskQueue(queue('control'))],
    ['door', 'make a schedule', (service) => service.createSchedule(schedule('comments'))],
    ['door', 'delete a schedule', (service) => service.deleteSchedule({ namespace, scheduleId: 's' })],
    [
      'operator',
      'start a comment that nobody delivered',
      (service) => service.startWorkflowExecution(started(COMMENT, 'comment')),
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
    const refused = openConnection(serverOf({ ...bare, ...foreign }));
    await expect(refused).rejects.toMatchObject({ problems: [{ code: 'SERVER_UNREACHABLE' }] });
  });
});
