import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterLine } from '../../activities/clusters/ports.js';
import { fail } from '../../model/failure.js';
import type { Dashboard } from './dashboard.js';
import { jobRefused } from './errors.js';
import { AgentGone } from './fault.js';
import { type JobAnswer, jobIn } from './job-answer.js';

const POLL_MS = 500;
/** Silence of the dashboard after which the cluster counts as gone. */
const SILENCE_MS = 60_000;
const STOP_MS = 8_000;

export interface Job extends Pick<ClusterLine, 'id' | 'signal' | 'leaves' | 'onOutput'> {
  /** A shell line. */
  readonly entrypoint: string;
  /** Package that Ray unpacks as its working folder: `gcs://_ray_pkg_….zip`. */
  readonly workingDir?: string;
}

/** Runs a line as a job of the cluster. A job of the same id is ours: an earlier worker submitted it, or its answer was lost.
 * Returns its exit status. Null if the cluster does not answer any more, or the job was stopped.
 * @param follow writes the job's output until its signal aborts */
export async function runJob(
  dashboard: Dashboard,
  job: Job,
  follow: (signal: AbortSignal) => Promise<void>,
): Promise<number | null> {
  const { id, signal, onOutput } = job;
  await submit(dashboard, job);
  const over = new AbortController();
  const following = follow(over.signal).catch(() => undefined);
  try {
    const end = await ended(dashboard, id, signal);
    if (end === null) return null;
    if (end.driver_exit_code === undefined || end.driver_exit_code === null) {
      await onOutput(`${end.message ?? end.status}\n`);
      return end.status === 'SUCCEEDED' ? 0 : null;
    }
    return end.driver_exit_code < 0 ? 128 - end.driver_exit_code : end.driver_exit_code;
  } catch (error) {
    if (signal.aborted && job.leaves?.() !== true) await stopJob(dashboard, id);
    throw error;
  } finally {
    // The last lines may still be on their way.
    await Promise.race([following, pause(POLL_MS)]);
    over.abort();
    await following;
  }
}

async function submit(dashboard: Dashboard, { id, entrypoint, workingDir }: Job): Promise<void> {
  const body = {
    submission_id: id,
    entrypoint,
    ...(workingDir !== undefined && { runtime_env: { working_dir: workingDir } }),
  };
  const { status, text } = await dashboard.ask('POST', '/api/jobs/', body);
  if (isTaken(status, text)) return;
  throw fail(jobRefused(status, text.trim().split('\n').at(-1) ?? ''));
}

/** True if Ray has the job: Ray answers 500 where it took an earlier order of the same id. */
export const isTaken = (status: number, text: string): boolean =>
  status === 200 || (status === 500 && text.includes('already exists'));

const isOver = ({ status }: JobAnswer): boolean => ['STOPPED', 'SUCCEEDED', 'FAILED'].includes(status);

async function ended(dashboard: Dashboard, id: string, signal: AbortSignal): Promise<JobAnswer | null> {
  let heardMs = performance.now();
  while (performance.now() - heardMs < SILENCE_MS) {
    signal.throwIfAborted();
    const job = await look(dashboard, id);
    if (job === 'gone') return null;
    if (job !== null) heardMs = performance.now();
    if (job !== null && isOver(job)) return job;
    await pause(POLL_MS, undefined, { signal });
  }
  return null;
}

/** Null: no answer this time. */
async function look(dashboard: Dashboard, id: string): Promise<JobAnswer | null | 'gone'> {
  try {
    const { status, text } = await dashboard.ask('GET', `/api/jobs/${encodeURIComponent(id)}`);
    if (status === 404) return 'gone';
    return status === 200 ? jobIn(text) : null;
  } catch (error) {
    return error instanceof AgentGone ? 'gone' : null;
  }
}

/** Asks Ray to stop a job, and waits until its processes have ended. A job that is over or unknown stays as it is.
 * Returns true if the job is over or unknown. Never throws. */
export async function stopJob(dashboard: Dashboard, id: string): Promise<boolean> {
  const untilMs = performance.now() + STOP_MS;
  const asked = await dashboard.ask('POST', `/api/jobs/${encodeURIComponent(id)}/stop`).catch(() => null);
  if (asked?.status === 404) return true;
  while (performance.now() < untilMs) {
    const job = await look(dashboard, id);
    if (job === 'gone' || (job !== null && isOver(job))) return true;
    await pause(POLL_MS);
  }
  return false;
}
