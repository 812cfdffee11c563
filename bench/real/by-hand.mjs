import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cpuMs, groupMs } from '../cpu.mjs';
import { Child, wrotePid } from '../engine/child.mjs';
import { homeServer } from '../home-server.mjs';
import { clocked } from './clock.mjs';
import { judged } from './judged.mjs';
import queues from './queues.cjs';

/** One workflow's history holds 51,200 events, six for each step; its input 2 MB. */
const MOST_STEPS = 5000;

/** The graph by a program written by hand for Temporal, on the server of that home, with two workers of its own that are there
 * before the clock starts, as Slipway's are. Null where one workflow does not hold it. */
export async function byHand({ root, at, env, steps, burn, round }) {
  if (steps.length > MOST_STEPS) return null;
  const log = join(at, `hand-${round}`);
  const lineOf = burn(log);
  const lines = steps.map((step) => ({ name: step.name, needs: step.needs, line: lineOf(step) }));
  const home = homeServer(root, env.SLIPWAY_HOME);
  const workers = workersOf({ root, folder: join(at, `by-hand-${round}`), home });
  const { Client, Connection } = createRequire(import.meta.url)('@temporalio/client');
  const connection = await Connection.connect(home.server);
  try {
    for (const worker of Object.values(workers)) await worker.start();
    const parts = {
      'the server': () => groupMs(home.pid),
      'the worker of workflows': workers.workflows.cpuMs,
      'the worker of steps': workers.steps.cpuMs,
      'the client': () => cpuMs('self'),
    };
    const args = [{ steps: lines, window: queues.SLOTS + 1, queue: queues.STEPS_QUEUE }];
    const start = { taskQueue: queues.QUEUE, workflowId: `by-hand/${round}`, args };
    const { workflow } = new Client({ connection });
    return judged(steps, log, await clocked(parts, () => workflow.execute('byHand', start)));
  } finally {
    await connection.close();
    for (const worker of Object.values(workers)) await worker.kill();
  }
}

/** Started by the same Node with the same options as Slipway's. */
function workersOf({ root, folder, home }) {
  mkdirSync(folder, { recursive: true });
  const { NODE_FLAGS, workflowNode } = createRequire(import.meta.url)(
    join(root, 'dist', 'services', 'catalog', 'worker.js'),
  );
  const worker = (role, { flags, env }) => {
    const ready = join(folder, `${role}.ready`);
    return new Child({
      name: `the hand-written program's worker of ${role}`,
      argv: [process.execPath, ...flags, join(root, 'bench', 'real', 'worker.cjs'), role, home.server.address, ready],
      ...{ env: { ...home.env, ...env }, cwd: root, log: join(folder, `${role}.log`), isReady: wrotePid(ready) },
    });
  };
  return { workflows: worker('workflows', workflowNode(root)), steps: worker('steps', { flags: NODE_FLAGS, env: {} }) };
}
