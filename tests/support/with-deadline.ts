import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const DIST = join(__dirname, '..', '..', 'dist');
const CODE = `
const { parentPort, workerData } = require('node:worker_threads');
const { path, name, values } = workerData;
new Promise((resolve) => resolve(require(path)[name](...values))).then(
  (value) => parentPort.postMessage({ value: JSON.stringify(value ?? null) }),
  (error) => parentPort.postMessage({ thrown: error.first?.code ?? String(error.stack) }),
);`;

/** Calls a function of the built code in a thread of its own, and ends the thread after `limitMs`.
 * @param module path below dist/, without its ending
 * @returns what it returned as JSON, the code that it threw, or `hangs` */
export function withDeadline(
  module: string,
  name: string,
  values: readonly unknown[],
  limitMs: number,
): Promise<string> {
  const worker = new Worker(CODE, { eval: true, workerData: { path: join(DIST, `${module}.js`), name, values } });
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('hangs'), limitMs);
    worker.once('message', ({ value, thrown }: { value?: string; thrown?: string }) => {
      clearTimeout(timer);
      resolve(thrown ?? value ?? '');
    });
    worker.once('error', (error) => resolve(String(error)));
  }).then(async (answer) => {
    await worker.terminate();
    return answer as string;
  });
}
