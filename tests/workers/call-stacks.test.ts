import { spawnSync } from 'node:child_process';
import { packageRoot } from '../../src/adapters/home.js';
import { NODE_FLAGS, workflowNode } from '../../src/services/catalog/worker.js';

/** In a thread: registers a hook as Temporal's SDK does, and prints whether it heard of a promise, and what an AsyncLocalStorage
 * carried over two awaits. */
const IN_A_THREAD = `
  const { Worker } = require('node:worker_threads');
  new Worker(\`
    const { AsyncLocalStorage } = require('node:async_hooks');
    let heard = false;
    require('node:v8').promiseHooks.createHook({ init: () => (heard = true), settled: () => undefined });
    const scope = new AsyncLocalStorage();
    const carried = scope.run('inner', async () => {
      await null;
      await new Promise((resolve) => setImmediate(resolve));
      return scope.getStore();
    });
    carried.then((store) => process.stdout.write(JSON.stringify({ heard, store })));
  \`, { eval: true });
`;

test.each([
  ['the workflow process', workflowNode(packageRoot()).flags, false],
  ['other workers', NODE_FLAGS, true],
])(
  'given the node options of %s, when a thread makes promises, then the hook of call stacks hears of them or not, and AsyncLocalStorage works',
  (_of, flags, heard) => {
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', IN_A_THREAD], { encoding: 'utf8' });
    expect({ stderr, ...JSON.parse(stdout) }).toEqual({ stderr: '', heard, store: 'inner' });
  },
);
