/** @needs services */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, toolsBin } from '../../src/adapters/home.js';
import { makeServiceSecrets } from '../../src/adapters/home-keys/service-secrets.js';
import type { Context } from '../../src/services/catalog/context.js';
import { login } from '../../src/services/catalog/devpi.js';
import { web } from '../../src/services/catalog/web.js';
import { doctor } from '../../src/services/doctor/index.js';
import { choosePorts } from '../../src/services/free-ports.js';
import { startServer } from '../adapters/http/a-server.js';
import { aHome } from '../services/a-home.js';
import { OTHER } from './another-user/ground.js';

/** A web server that answers 200 to everything, at each port of its arguments. */
const POSER = `let open = process.argv.length - 1;
for (const port of process.argv.slice(1))
  require('node:http').createServer((_, answer) => answer.end('{}'))
    .listen(Number(port), '127.0.0.1', () => (open -= 1) || console.log('open'));`;

const isRoot = process.getuid?.() === 0;
const suite = isRoot ? describe : describe.skip;

suite(
  `another user takes the ports of nginx${isRoot ? '' : ' (left out: only root can start a program as another user)'}`,
  () => {
    let context: Context;
    let poser: ChildProcess;
    let remove: () => void;

    beforeAll(async () => {
      const made = await aHome();
      remove = made.remove;
      const { home, env } = made;
      const ports = await choosePorts(home);
      makeServiceSecrets(join(home, 'keys'));
      mkdirSync(join(home, 'log'));
      context = {
        home,
        keys: join(home, 'keys'),
        ports,
        toolsBin: toolsBin(),
        packageRoot: packageRoot(),
        env,
        isRoot,
      };
      const { index, maven, wheels, registry, staging } = ports;
      const argv = ['-e', POSER, ...[index, maven, wheels, registry, staging].map(String)];
      poser = spawn(process.execPath, argv, { ...OTHER, cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
      await once(poser.stdout!, 'data');
    });
    afterAll(async () => {
      const gone = once(poser, 'exit');
      poser.kill('SIGKILL');
      await gone;
      remove();
    });

    test('[D3] after they were chosen and before nginx opens them, then `up` names the port, and its 200 is not taken for nginx', async () => {
      const service = web(context);
      await expect(service.prepare(() => undefined)).rejects.toMatchObject({ first: { code: 'DOOR_PORT_TAKEN' } });
      expect(await service.answers(0)).toBe(false);
    });
  },
);

test.each(['{}', 'null', '<html>'])(
  '[D3] given a server in place of devpi that answers %s, then the doctor says so and goes on',
  async (body) => {
    const server = await startServer((_, answer) => void answer.end(body));
    const { home, env, remove } = await aHome();
    const at = { pid: 1, log: '' };
    const services = { index: { ...at, address: server.address }, docker: { ...at, address: server.address } };
    const state = { version: 1, services, supervisor: { startedAt: '' } } as never;
    const found = await doctor({
      home,
      env,
      folder: home,
      state,
      toolsBin: toolsBin(),
      named: [],
      plans: async () => ({}),
    });
    expect(found.find(({ name }) => name === 'index')).toMatchObject({ ok: false, mend: 'slipway down && slipway up' });
    if (body === '{}') expect(await login(server.address, 'x')).toBeNull();
    await server.stop();
    remove();
  },
);
