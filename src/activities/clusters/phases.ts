import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { isOutage, type Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import { quoted } from '../../model/quoted.js';
import { CLUSTER_SLACK_MS, type LimitedLine } from '../../model/tests/cluster.js';
import {
  clusterGone,
  clusterTestFailed,
  clusterTestTimedOut,
  nodesMissing,
  prepareFailed,
  prepareTimedOut,
  resultNotFetched,
} from './errors.js';
import { type ScriptName, writeScript } from './lay-out.js';
import type { ClusterLine } from './ports.js';
import { judgeResult } from './results.js';
import { say, type Trial } from './trial.js';

const LOOK_MS = 1_000;
const KEEP_LIMIT_MS = 5 * 60_000;
const TELL_MS = 5_000;
const SHORTEST_LOOK_MS = 15_000;

/** Carries out all phases after the start of the cluster. Returns why the test did not pass. Null if it passed. */
export async function carriedOut(trial: Trial): Promise<Problem | null> {
  const { prepare } = trial.work.step.params;
  if (trial.begunAt !== null) return followed(trial);
  const missing = await waitedForNodes(trial);
  if (missing !== null) return missing;
  await laid(trial);
  const unprepared = prepare === null ? null : await prepared(trial, prepare);
  return unprepared ?? tested(trial);
}

/** Goes on with a test that an earlier worker began. */
async function followed(trial: Trial): Promise<Problem | null> {
  await trial.nodes.look();
  trial.nodes.watch();
  say(trial.work, `following ${trial.id} again, which another worker began`);
  return tested(trial);
}

/** Brings scripts, source and files to the head. */
async function laid({ work, folders, cluster }: Trial): Promise<void> {
  const { prepare, test, artifact } = work.step.params;
  const files = cluster.shared ? work.files : join(cluster.at, 'files');
  const head = { at: cluster.at, files };
  const keep = `cp -- ${quoted(artifact ?? '')} ${quoted(join(cluster.at, 'out', 'artifact'))}/`;
  if (prepare !== null) await writeScript(work, folders, 'prepare', prepare, head);
  if (artifact !== null) await writeScript(work, folders, 'keep', { run: keep, limitMs: KEEP_LIMIT_MS }, head);
  await writeScript(work, folders, 'run', test, head);
  await cluster.put();
}

async function waitedForNodes({ work, nodes }: Trial): Promise<Problem | null> {
  const { wait } = work.step.params;
  const beganMs = performance.now();
  let toldMs = -TELL_MS;
  for (;;) {
    work.signal.throwIfAborted();
    const seen = await nodes.look();
    const tookMs = performance.now() - beganMs;
    if (seen >= wait.nodes) break;
    if (tookMs >= wait.forMs) return nodesMissing(work.step.id, seen, wait, nodes.fault());
    if (tookMs - toldMs >= TELL_MS) {
      say(work, `nodes ${seen}/${wait.nodes}, ${Math.round(tookMs / 1000)} s`);
      toldMs = tookMs;
    }
    await pause(LOOK_MS, undefined, { signal: work.signal });
  }
  nodes.watch();
  say(work, `nodes ${wait.nodes}/${wait.nodes}, ${Math.round((performance.now() - beganMs) / 1000)} s`);
  return null;
}

async function prepared(trial: Trial, prepare: LimitedLine): Promise<Problem | null> {
  const { work } = trial;
  say(work, 'preparing');
  const end = await ran(trial, 'prepare', prepare.limitMs, 'command');
  const lines = work.log.tail();
  if (end === 'timed out') return prepareTimedOut(work.step.id, prepare.limitMs, lines, {});
  if (end === 'gone') return clusterGone(work.step.id, lines, {});
  return end === 0 ? null : prepareFailed(work.step.id, end, lines, {});
}

async function tested(trial: Trial): Promise<Problem | null> {
  const { work } = trial;
  const { test, long, by } = work.step.params;
  say(work, 'testing');
  const again = trial.begunAt !== null;
  const beganAt = await trial.begin();
  // A test that ended in time may be found later.
  const leftMs = again ? Math.max(beganAt + test.limitMs - Date.now(), SHORTEST_LOOK_MS) : test.limitMs;
  const end = await ran(trial, 'run', leftMs, by, again);
  const details: JsonObject = { testMs: Date.now() - beganAt };
  const lines = work.log.tail();
  if (end === 'gone') return clusterGone(work.step.id, lines, details);
  const { notFetched, aheadMs } = await fetched(trial, details);
  if (end === 'timed out' && !long) return clusterTestTimedOut(work.step.id, test.limitMs, lines, details);
  if (typeof end === 'number' && end !== 0) return clusterTestFailed(work.step.id, end, lines, details);
  return notFetched ?? judgeResult(work, trial.folders.out, aheadMs, details);
}

/** Runs a script on the cluster. Returns its exit status. */
async function ran(
  { work, cluster, id, leaves, onOutput }: Trial,
  name: ScriptName,
  limitMs: number,
  by: ClusterLine['by'],
  again = false,
): Promise<number | 'timed out' | 'gone'> {
  const late = AbortSignal.timeout(limitMs);
  const script = join(cluster.at, `${name}.sh`);
  try {
    const signal = AbortSignal.any([work.signal, late]);
    const line = {
      script,
      by,
      id: `${id}-${name}`,
      again,
      endMs: limitMs + CLUSTER_SLACK_MS,
      signal,
      leaves,
      onOutput,
    };
    return (await cluster.run(line)) ?? 'gone';
  } catch (error) {
    work.signal.throwIfAborted();
    if (late.aborted) return 'timed out';
    throw error;
  }
}

/** Copies the artifact beside the other results, and all of them from the head. Returns why that failed, and by how much the head's
 * clock is ahead. */
async function fetched(
  trial: Trial,
  details: JsonObject,
): Promise<{ readonly notFetched: Problem | null; readonly aheadMs: number }> {
  const { work, cluster } = trial;
  const { artifact } = work.step.params;
  try {
    if (artifact !== null) {
      const end = await ran(trial, 'keep', KEEP_LIMIT_MS, 'command');
      if (end !== 0) work.log.note(`the artifact ${artifact} is not there`);
    }
    return { notFetched: null, aheadMs: (await cluster.get()) ?? 0 };
  } catch (error) {
    work.signal.throwIfAborted();
    if (isOutage(error)) throw error;
    return { notFetched: resultNotFetched(work.step.id, (error as Error).message, details), aheadMs: 0 };
  }
}
