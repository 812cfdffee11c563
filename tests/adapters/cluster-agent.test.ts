/** @needs python */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Agent, createAgent } from '../../src/adapters/clusters/agent.js';
import { AGENT_SCRIPT } from '../../src/adapters/clusters/agent-script.js';
import { newHome } from '../support/run-body.js';

let agent: Agent;

beforeEach(async () => {
  const socket = join(await newHome(), 'agent.sock');
  const child = spawn('python3', ['-c', AGENT_SCRIPT, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  agent = createAgent(socket);
});
afterEach(() => agent.end());

/** Runs a shell line. Returns its status and its output. */
async function ran(line: string): Promise<readonly [number, string]> {
  let said = '';
  const status = await agent.run({
    ...{ argv: ['sh', '-c', line], cwd: '/', env: { PATH: '/usr/bin:/bin' }, signal: AbortSignal.timeout(60_000) },
    onOutput: (text) => void (said += text),
  });
  return [status, said];
}

test.each([
  ['in its group', ''],
  ['in a session of its own', 'setsid '],
])('given a program that leaves a child %s that prints all the time, then its end is seen', async (_, prefix) => {
  const [status, said] = await ran(`${prefix}sh -c 'while :; do echo noise; done' & echo begun; exit 7`);
  expect(status).toBe(7);
  expect(said).toContain('begun\n');
});

test('given a program that ends with a full pipe, then all of its output arrives', async () => {
  const [status, said] = await ran(`printf '%060000d'; echo; echo last`);
  expect([status, said.length, said.endsWith('last\n')]).toEqual([0, 60_006, true]);
});
