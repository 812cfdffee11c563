import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { middle } from './measure.mjs';

/** Text and facts of `examples/ray` → its plan, in this process: the first time, and when the code is warm. */
export async function planRay({ root, tell }) {
  const require = createRequire(import.meta.url);
  const { gatherFacts } = require(join(root, 'dist', 'adapters', 'facts', 'index.js'));
  const { plan } = require(join(root, 'dist', 'plan', 'plan.js'));
  const { readReleaseFile } = require(join(root, 'dist', 'plan', 'read', 'release-file.js'));
  const path = join(root, 'examples', 'ray', 'slipway.yaml');
  const { facts } = await gatherFacts(path, 'local');
  const text = readFileSync(path, 'utf8');
  const times = Array.from({ length: 16 }, () => {
    const start = performance.now();
    plan(readReleaseFile(text, path), facts);
    return performance.now() - start;
  });
  tell('planning examples/ray, first in a process', `${times[0].toFixed(0)} ms`);
  tell('planning examples/ray, median of 15 after', `${middle(times.slice(1)).toFixed(0)} ms`, 'at most 100 ms wanted');
}
