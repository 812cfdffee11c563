import { join } from 'node:path';
import { packageRoot } from '../../../src/adapters/home.js';
import type { Attack, Ground } from './ground.js';

const START = [
  'workflow',
  'start',
  '--type',
  'release',
  '--task-queue',
  'control',
  '--workflow-id',
  'strange',
  '--input',
  '{}',
];

/** Makes an authority and a certificate as the door's are, by the other user's own key. */
const OWN_CERTIFICATE = `set -e
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -batch -keyout ca.key -out ca.pem -subj /CN=ca -addext keyUsage=critical,keyCertSign
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -batch -keyout client.key -out client.csr -subj /CN=client -addext extendedKeyUsage=clientAuth
openssl x509 -req -in client.csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copyall -out client.pem`;

/** A worker of Temporal's SDK: it polls `control` as the home's own does, and is killed by its first poll's answer. */
const WORKER = `const { NativeConnection } = require('@temporalio/worker');
NativeConnection.connect({ address: process.argv[1] }).then(async (connection) => {
  const said = await connection.withDeadline(Date.now() + 3000, () => connection.workflowService.pollActivityTaskQueue({
    namespace: 'default', taskQueue: { name: 'control' }, identity: 'control' }));
  console.log('polled', said);
}).catch((error) => { console.log(String(error)); process.exitCode = /DEADLINE|Timeout/i.test(String(error)) ? 0 : 1; });`;

const address = (ground: Ground): string => ground.services.address('temporal')!;

export const door: readonly Attack[] = [
  {
    title: '[D1] starts a workflow of type release at the address of Temporal: the door asks for a certificate',
    async run(ground) {
      for (const tls of [[], ['--tls'], ['--tls', '--tls-disable-host-verification']]) {
        const { code, text } = await ground.temporal(...START, '--address', address(ground), ...tls);
        expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/tls|certificate/i) as string });
      }
      expect(await ground.workflows()).not.toContain('strange');
    },
  },
  {
    title: '[D1] shows the door a certificate of an authority of their own, with the same names',
    async run(ground) {
      expect(await ground.other(['sh', '-c', OWN_CERTIFICATE])).toMatchObject({ code: 0 });
      const own = ['--tls-cert-path', 'client.pem', '--tls-key-path', 'client.key', '--tls-disable-host-verification'];
      const { code, text } = await ground.temporal(...START, '--address', address(ground), ...own);
      expect({ code, text }).toEqual({
        code: 1,
        text: expect.stringMatching(/certificate|EOF|broken pipe|reset/i) as string,
      });
      expect(await ground.workflows()).not.toContain('strange');
    },
  },
  {
    title: '[D1] asks at each port where the home listens: none takes a call of Temporal or a start by HTTP',
    async run(ground) {
      const ports = ground.ports();
      expect(ports).toContain(Number(address(ground).split(':')[1]));
      for (const port of ports) {
        const at = `127.0.0.1:${port}`;
        const grpc = await ground.temporal(...START, '--address', at, '--command-timeout', '10s');
        expect({ at, code: grpc.code }).toEqual({ at, code: 1 });
        const url = `http://${at}/api/v1/namespaces/default/workflows/strange`;
        const body = '{"workflowType":{"name":"release"},"taskQueue":{"name":"control"}}';
        const json = ['-H', 'content-type: application/json', '-d', body];
        const http = await ground.other([
          'curl',
          '-s',
          '-m',
          '10',
          '-o',
          '/dev/null',
          '-w',
          '%{http_code}',
          ...json,
          url,
        ]);
        expect({ at, status: http.text }).toEqual({ at, status: expect.stringMatching(/^(000|4\d\d)$/) as string });
      }
      expect(await ground.workflows()).not.toContain('strange');
    },
  },
  {
    title: '[D1] polls the queue control as the home’s own worker does: the SDK gets no connection',
    async run(ground) {
      const env = { NODE_PATH: join(packageRoot(), 'node_modules') };
      const { code, text } = await ground.other([process.execPath, '-e', WORKER, address(ground)], env);
      expect({ code, text }).toEqual({
        code: 1,
        text: expect.stringMatching(/TransportError|tls|certificate/i) as string,
      });
    },
  },
  {
    title: '[D1] takes the key of the home, or enters the namespace of the server: the system refuses',
    async run(ground) {
      const { pid } = ground.services.server() as { pid?: number };
      const tries = [
        ['cat', join(ground.home, 'door', 'client.key')],
        ['cat', join(ground.home, 'door', 'page.key')],
        ['nsenter', '--net', '--target', String(pid), 'true'],
        ['ls', `/proc/${pid}/root/tmp`],
        ['cat', `/proc/${pid}/environ`],
      ];
      for (const argv of tries) {
        const { code, text } = await ground.other(argv);
        expect({ argv, code, text }).toMatchObject({
          text: expect.stringMatching(/Permission denied|not permitted/) as string,
        });
        expect(code).not.toBe(0);
      }
    },
  },
];
