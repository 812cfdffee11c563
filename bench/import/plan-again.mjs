import { createRequire } from 'node:module';
import { join } from 'node:path';

/** `node plan-again.mjs ROOT FILE`: plans twice in one process, as a control worker does night by night. Prints the milliseconds of
 * the second plan. */
const [root, file] = process.argv.slice(2);
const { plan } = createRequire(import.meta.url)(join(root, 'dist', 'adapters', 'facts', 'index.js'));
await plan(file, 'local');
const begunMs = performance.now();
await plan(file, 'local');
console.log(performance.now() - begunMs);
