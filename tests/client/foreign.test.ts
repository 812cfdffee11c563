/** @needs temporal openssl */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createPlain, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { connect } from '../../src/client/connect.js';
import { keepDoorCertificates } from '../../src/services/certificates.js';
import { ROOT } from '../support/pages.js';
import { newHome } from '../support/run-body.js';
import { startTemporal } from '../temporal-env.js';
import { keepMark } from './keep-mark.js';

const connectTimeoutMs = 300;
const problem = (code: string, message: RegExp, next: RegExp) => ({
  problems: [{ code, message: expect.stringMatching(message) as string, next: expect.stringMatching(next) as string }],
});

describe('given a namespace of a server of one’s own', () => {
  let env: TestWorkflowEnvironment;
  beforeAll(async () => {
    env = await startTemporal();
  });
  afterAll(() => env.teardown());

  const connected = async (mark?: string): Promise<'connected'> => {
    const client = await connect({ address: env.address, ...(mark !== undefined && { mark }) });
    await client.close();
    return 'connected';
  };
  /** Runs the program of a workflow worker, which ends if it is refused. */
  async function worker(mark?: string): Promise<{ readonly code: unknown; readonly err: string }> {
    const { PATH = '', HOME = '/' } = process.env;
    const told = { TEMPORAL_ADDRESS: env.address, ...(mark !== undefined && { SLIPWAY_MARK: mark }) };
    const options = { env: { PATH, HOME, SLIPWAY_HOME: await newHome(), ...told } };
    const argv = [join(ROOT, 'dist', 'workers', 'main.js'), '--workflows'];
    return new Promise((resolve) => {
      execFile(process.execPath, argv, options, (error, _, err) => resolve({ code: error?.code ?? 0, err }));
    });
  }
  test('when it has no mark, then only a caller who asks for one is refused, and the next command writes it', async () => {
    expect(await connected()).toBe('connected');
    await expect(connected('team')).rejects.toMatchObject(
      problem(
        'NAMESPACE_UNMARKED',
        /^the namespace default at .* "team"/,
        /namespace update -n default --data slipway='team'/,
      ),
    );
  });

  test('when it has a mark, then only a caller who asks for this one is let through, and no worker of another', async () => {
    await keepMark(env.connection, 'team');
    expect(await connected('team')).toBe('connected');
    for (const other of ['others', undefined])
      await expect(connected(other)).rejects.toMatchObject(
        problem('SERVER_FOREIGN', /is marked "team", and ("others"|no mark) was asked for/, /set SLIPWAY_MARK='team'/),
      );
    for (const other of ['others', undefined])
      await expect(worker(other)).resolves.toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /SERVER_FOREIGN \(config\) .*is marked "team", and .*\n {2}next: .*SLIPWAY_MARK='team'/,
        ),
      });
    await keepMark(env.connection, '');
    await expect(worker('team')).resolves.toMatchObject({
      code: 1,
      err: expect.stringContaining('NAMESPACE_UNMARKED'),
    });
  });
});

describe('given a home whose address another server took', () => {
  let home: string;
  let server: Server;
  beforeEach(async () => {
    home = await newHome();
    keepDoorCertificates(join(home, 'door'));
  });
  afterEach(() => server.close());

  async function serve(made: Server): Promise<string> {
    server = made;
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    recordServer(address);
    return address;
  }
  function recordServer(address: string): void {
    const temporal = { pid: 1, address, certificates: join(home, 'door'), log: '' };
    writeFileSync(join(home, 'services.json'), JSON.stringify({ version: 1, services: { temporal } }));
  }
  const foreign = problem('SERVER_FOREIGN', /^the server at 127\.0\.0\.1:\d+ is not the one/, /`slipway doctor`/);

  test('when its certificate is of another home, then it is named as a foreign server', async () => {
    const other = join(await newHome(), 'door');
    mkdirSync(other, { recursive: true });
    keepDoorCertificates(other);
    const [cert, key] = ['server.pem', 'server.key'].map((name) => readFileSync(join(other, name)));
    await serve(createServer({ cert, key, ALPNProtocols: ['h2'] }));
    await expect(connect({ home, connectTimeoutMs })).rejects.toMatchObject(foreign);
  });

  test('when the address is given beside the home, or TLS of another server, then the home’s certificate still proves it', async () => {
    const other = join(await newHome(), 'door');
    mkdirSync(other, { recursive: true });
    keepDoorCertificates(other);
    const [ca, cert, key] = ['ca.pem', 'server.pem', 'server.key'].map((name) => readFileSync(join(other, name)));
    const address = await serve(createServer({ cert, key, ALPNProtocols: ['h2'] }));
    recordServer('127.0.0.1:1');
    const tls = { serverNameOverride: 'temporal', serverRootCACertificate: ca };
    for (const more of [{}, { tls }])
      await expect(connect({ home, address, ...more, connectTimeoutMs })).rejects.toMatchObject(foreign);
  });

  test('when it speaks no TLS, then it is named as a foreign server', async () => {
    await serve(createPlain((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    await expect(connect({ home, connectTimeoutMs })).rejects.toMatchObject(foreign);
  });

  test('when it is gone, then the server is unreachable', async () => {
    await serve(createPlain());
    await new Promise((closed) => server.close(closed));
    await expect(connect({ home, connectTimeoutMs })).rejects.toMatchObject({
      problems: [{ code: 'SERVER_UNREACHABLE' }],
    });
  });
});

test('given a home that is not there, then the error names it and what to type', async () => {
  await expect(connect({ home: '/nowhere/slipway' })).rejects.toMatchObject(
    problem('SERVICES_DOWN', /in the home \/nowhere\/slipway,/, /`slipway up`/),
  );
});

test('given variables of another server, when a home or an address is asked for, then it gets none of them', async () => {
  process.env['TEMPORAL_ADDRESS'] = 'far.example:7233';
  try {
    await expect(connect({ home: '/nowhere/slipway' })).rejects.toThrow('SERVICES_DOWN');
    await expect(connect({ address: '127.0.0.1:1', connectTimeoutMs })).rejects.toThrow('at 127.0.0.1:1:');
  } finally {
    delete process.env['TEMPORAL_ADDRESS'];
  }
});
