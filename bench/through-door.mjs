import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Child, wrotePid } from './engine/child.mjs';
import queues from './engine/queues.cjs';
import shapes from './engine/shapes.cjs';
import { inTurn } from './measure.mjs';

/** The hand-written workflow of bench/engine on servers of several homes, in turn, with the same worker and client: what differs is
 * the server and what is before it.
 * @param servers as bench/home-server.mjs answers @returns the milliseconds of each server's runs */
export async function throughDoor({ root, folder, runs, servers, steps }) {
  const ends = [];
  try {
    const ways = {};
    for (const [name, { server, env }] of Object.entries(servers)) {
      const worker = floorWorker({ root, folder, name, address: server.address, env });
      ends.push(() => worker.kill());
      await worker.start();
      const connection = await Connection.connect(server);
      ends.push(() => connection.close());
      ways[name] = (run) => floorRun(new Client({ connection }), `floor/${name}/${run}`, steps);
    }
    return await inTurn(runs, ways);
  } finally {
    for (const end of ends) await end();
  }
}

function floorWorker({ root, folder, name, address, env }) {
  const ready = join(folder, `floor-${name}.ready`);
  const argv = [process.execPath, join(root, 'bench', 'engine', 'worker.cjs'), 'floor', address, ready];
  return new Child({ name, argv, env, cwd: root, log: join(folder, `floor-${name}.log`), isReady: wrotePid(ready) });
}

async function floorRun(client, workflowId, count) {
  const began = performance.now();
  const args = [{ count, window: shapes.WINDOW, queue: queues.FLOOR_STEPS }];
  await client.workflow.execute('floor', { workflowId, taskQueue: queues.FLOOR, args });
  return performance.now() - began;
}
