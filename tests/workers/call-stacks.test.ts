import { spawnSync } from 'node:child_process';
import { packageRoot } from '../../src/adapters/home.js';
import { NODE_FLAGS, workflowNode } from '../../src/services/catalog/worker.js';

/** Registers a hook as Temporal's SDK does, in a thread, and prints how many promises it heard of. */
const IN_A_THREAD = `
  const { Worker } = require('node:worker_threads');
  new Worker(\`
    let heard = 0;
    const stop = require('node:v8').promiseHooks.createHook({ init: () => (heard += 1) });
    Promise.resolve().then(() => undefined);
    stop();
    process.stdout.write(String(heard));
  \`, { eval: true });
`;

test.each([
  ['of the workflow process', workflowNode(packageRoot()).flags, '0'],
  ['of other workers', NODE_FLAGS, expect.stringMatching(/^[1-9]\d*$/)],
])('given the node options %s, when a thread makes promises, then a promise hook hears of %s', (_of, flags, heard) => {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', IN_A_THREAD], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: heard, stderr: '' });
});
