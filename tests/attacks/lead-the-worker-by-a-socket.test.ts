/** @needs python */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createAgent } from '../../src/adapters/clusters/agent.js';
import { AGENT_SCRIPT } from '../../src/adapters/clusters/agent-script.js';
import { newHome } from '../support/run-body.js';

let child: ChildProcess;
afterEach(() => void child.kill('SIGKILL'));

/** A cluster test shares the folder of its agent's socket, and the worker connects outside of the sandbox. */
test.each([
  [
    'a link in place of the socket of its agent',
    (folder: string, ours: string) => {
      rmSync(join(folder, 'agent.sock'));
      symlinkSync(ours, join(folder, 'agent.sock'));
    },
  ],
  [
    'a link in place of its folder',
    (folder: string, ours: string) => {
      renameSync(folder, `${folder}.aside`);
      symlinkSync(join(ours, '..'), folder);
    },
  ],
])('given a test that lays %s, then the worker connects to no socket of its own', async (_, attack) => {
  const home = await newHome();
  const [folder, services] = [join(home, 'test'), join(home, 'services')];
  for (const one of [folder, services]) mkdirSync(one);
  let connections = 0;
  const service = createServer((peer) => {
    connections += 1;
    peer.on('error', () => undefined).end();
  });
  const ours = join(services, 'agent.sock');
  await once(service.listen(ours), 'listening');
  child = spawn('python3', ['-c', AGENT_SCRIPT, join(folder, 'agent.sock')], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  const agent = createAgent(join(folder, 'agent.sock'));
  const program = { argv: ['true'], cwd: '/', env: {}, signal: AbortSignal.timeout(20_000), onOutput: () => undefined };
  expect(await agent.run(program)).toBe(0);
  attack(folder, ours);
  await expect(agent.run(program)).rejects.toThrow();
  await new Promise((resolve) => service.close(resolve));
  expect(connections).toBe(0);
});
