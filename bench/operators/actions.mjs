import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { middle } from '../measure.mjs';
import { atMost } from '../rows.mjs';
import { rowOf } from './row-of.mjs';

/** An action to a run, from the call to its answer; against the round trip of an Update that does nothing, on the same server. */
export async function actions({ ground, times }) {
  const release = await ground.release({ waits: { run: 'mark up; until_told' } });
  await release.at('up');
  const action = (no) =>
    ground.client.act(release.workflowId, { action: 'note', text: `note ${no}`, by: 'bench', reason: `note ${no}` });
  await action(0);
  const ours = [];
  const bare = [];
  await besides(ground, async (update) => {
    await update();
    for (let no = 1; no <= times; no++) {
      ours.push(await took(() => action(no)));
      bare.push(await took(update));
    }
  });
  release.go();
  await release.ended();
  const against = { reference: middle(bare), goal: atMost(300) };
  return [rowOf(ground, 'action to a run → answered, against a bare Update', ours, against)];
}

async function took(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** With a worker in this process that serves one workflow; `update` asks it. */
async function besides({ server, temporal }, work) {
  const { NativeConnection, Worker, Runtime, DefaultLogger } = createRequire(import.meta.url)('@temporalio/worker');
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await NativeConnection.connect(server);
  const workflowsPath = fileURLToPath(new URL('bare.cjs', import.meta.url));
  const worker = await Worker.create({ connection, taskQueue: 'bench', workflowsPath });
  await worker.runUntil(async () => {
    const handle = await temporal.workflow.start('bare', { workflowId: 'bench/bare', taskQueue: 'bench' });
    await work(() => handle.executeUpdate('nothing'));
    await handle.terminate();
  });
  await connection.close();
}
