import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { homeOf } from './homes.mjs';

/** Returns a line for each worker with the results that it made, from the records in the bucket's folder. */
export function whoMade(folder) {
  const runs = join(folder, 's3', 'releases', 'slipway', 'records', 'runs');
  const by = new Map();
  for (const { step, made } of recordsIn(runs))
    if (made !== undefined) by.set(made.worker, [...(by.get(made.worker) ?? []), step]);
  const width = Math.max(0, ...[...by.keys()].map((worker) => worker.length));
  return [...by]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([worker, steps]) => `  ${worker.padEnd(width)}  ${steps.length}  ${steps.sort().join(' ')}`)
    .join('\n');
}

/** How many uploads the registries' own access logs show, as a line for each registry. An index and a Maven repository count files, a
 * registry blobs and manifests. */
export function uploads(root, folder) {
  const logs = createRequire(import.meta.url)(join(root, 'dist', 'drill', 'access-logs.js'));
  return ['index', 'maven', 'registry']
    .map((name) => [name, logs[`${name}Uploads`](homeOf(folder, 'control'))])
    .map(
      ([name, { accepted, refused }]) => `  ${name.padEnd(8)}  ${accepted.length} accepted, ${refused.length} refused`,
    )
    .join('\n');
}

/** Nothing where the release ended before its first record. */
const recordsIn = (folder) =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    .filter((name) => /^[^/]+\/results\/.*\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
