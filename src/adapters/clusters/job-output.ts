import { StringDecoder } from 'node:string_decoder';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterLine } from '../../activities/clusters/ports.js';
import type { Dashboard } from './dashboard.js';
import { jobIn } from './job-answer.js';

const AGAIN_MS = 500;
const REST_MS = 60_000;

/** Passes the output of a job on from its begin: as it comes until `over` aborts, then what is left. A broken stream goes on where
 * it broke. */
export async function followJob(
  dashboard: Dashboard,
  { id, onOutput }: Pick<ClusterLine, 'id' | 'onOutput'>,
  over: AbortSignal,
): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let passed = 0;
  const read = async (kind: 'stream' | 'file', signal: AbortSignal): Promise<void> => {
    let at = 0;
    const onPiece = (piece: Buffer): void | Promise<void> => {
      const fresh = piece.subarray(Math.max(0, passed - at));
      at += piece.length;
      passed += fresh.length;
      if (fresh.length > 0) return onOutput(decoder.write(fresh));
    };
    await readLog(dashboard, kind, id, signal, onPiece).catch(() => undefined);
  };
  while (!over.aborted) {
    // The log is not there before the job has begun.
    await read('stream', over);
    await pause(AGAIN_MS, undefined, { signal: over }).catch(() => undefined);
  }
  await read('file', AbortSignal.timeout(REST_MS));
}

/** Reads the log of a job: `stream` goes on while the job runs, `file` ends with what is there. Returns the HTTP status, 404 for a job
 * that has not begun. Ray finds the log of a job without `ray.init` only by its node and file. */
export async function readLog(
  dashboard: Dashboard,
  kind: 'stream' | 'file',
  id: string,
  signal: AbortSignal,
  onPiece: (piece: Buffer) => void | Promise<void>,
): Promise<number> {
  const { status, text } = await dashboard.ask('GET', `/api/jobs/${encodeURIComponent(id)}`);
  const node = status === 200 ? jobIn(text)?.driver_node_id : null;
  if (!node) return 404;
  const file = `node_id=${encodeURIComponent(node)}&filename=${encodeURIComponent(`job-driver-${id}.log`)}`;
  return dashboard.stream(`/api/v0/logs/${kind}?${file}&lines=-1`, signal, onPiece);
}
