import { constants, createReadStream, createWriteStream, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Artifact } from '../../model/artifact.js';
import { trippedAlerts } from '../../engine/checks/alerts.js';
import type { Problem } from '../../model/failure.js';
import type { Json, JsonObject } from '../../model/json.js';
import { assertInside, newFile, openInside, type PlainFile, readPlain } from '../step/inside.js';
import type { Work } from '../work.js';
import { alertTripped, clusterResultAbsent, resultNotJson, resultTooBig } from './errors.js';
import { METRICS_FILE, RESULT_FILE } from './lay-out.js';

const MOST_BYTES = 16 * 1024 * 1024;
type Test = Work<'runOnCluster'>;

/** Judges the result of a test that ended well. Null where it passed.
 * @param aheadMs by how much the head's clock is ahead of this machine's */
export function judgeResult(work: Test, out: string, aheadMs: number, details: JsonObject): Problem | null {
  const { id, params } = work.step;
  const { result, alerts } = params;
  if (result === null) return null;
  const path = join(out, RESULT_FILE);
  const found = readLeft(work, path, MOST_BYTES);
  if (found === null) return clusterResultAbsent(id, result, work.log.tail(), details);
  const { size, text, mtimeMs } = found;
  if (text === null) return resultTooBig(id, result, size, MOST_BYTES, details);
  let content: Json;
  try {
    content = JSON.parse(text) as Json;
  } catch (error) {
    return resultNotJson(id, result, whyNot(text, error as Error), details);
  }
  const tripped = trippedAlerts(alerts, content, ageS(content, mtimeMs, aheadMs));
  return tripped.length === 0 ? null : alertTripped(id, tripped, details);
}

/** Python writes NaN and Infinity as they are. */
const whyNot = (text: string, { message }: Error): string => {
  const [word] = /(?<=[:,[\s])(NaN|-?Infinity)(?=[,\]}\s])/.exec(text) ?? [];
  return word === undefined ? message.slice(0, 200) : `it holds ${word}`;
};

/** Age by what the test wrote itself by the head's clock, else by the file. */
function ageS(content: Json, mtimeMs: number, aheadMs: number): number {
  const said = content !== null && typeof content === 'object' ? (content as JsonObject)['last_update'] : undefined;
  const atMs = typeof said === 'number' ? said * 1000 - aheadMs : mtimeMs;
  return Math.max(0, Math.round((Date.now() - atMs) / 1000));
}

/** Size of a plain file. Null where it is none. */
function sizeOf(work: Test, path: string): number | null {
  assertInside(work, path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : null;
}

/** Reads a plain file, which processes of the cluster may replace meanwhile. Null where it is none. */
export const readLeft = (work: Test, path: string, mostBytes: number): PlainFile | null =>
  sizeOf(work, path) === null ? null : readPlain(work, path, mostBytes);

/** Keeps what a test left, passed or not. Metrics never fail a test. */
export async function keepAll(work: Test, out: string): Promise<readonly Artifact[]> {
  const { result, artifact } = work.step.params;
  const metrics = join(out, METRICS_FILE);
  if (sizeOf(work, metrics) !== null)
    await packed(work, metrics, join(out, 'metrics.json.gz')).catch((error: Error) =>
      work.log.note(`the metrics are not kept: ${error.message}`),
    );
  const named: readonly (readonly [file: string, name: string])[] = [
    ['test_config.json', 'test_config.json'],
    [RESULT_FILE, result?.split('/').at(-1) ?? RESULT_FILE],
    ['metrics.json.gz', 'metrics.json.gz'],
    ...(artifact === null ? [] : [[`artifact/${artifact.split('/').at(-1)!}`, artifact.split('/').at(-1)!] as const]),
  ];
  const kept: Artifact[] = [];
  for (const [file, name] of named)
    if (sizeOf(work, join(out, file)) !== null)
      kept.push(await work.keep(join(out, file), 'file', work.step.axes, name));
  return kept;
}

async function packed(work: Test, from: string, to: string): Promise<void> {
  const read = createReadStream('', { fd: openInside(work, from, constants.O_RDONLY) });
  await pipeline(read, createGzip(), createWriteStream('', { fd: newFile(work, to) }));
}
