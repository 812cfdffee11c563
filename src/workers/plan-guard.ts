import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const LOOK_MS = 100;
const { memoryMb, worker } = workerData as { readonly memoryMb: number; readonly worker: number };

// Ends a planning process and its programs at its limit of memory, and with its worker, also while the other thread parses.
setInterval(() => {
  const isOver = process.memoryUsage.rss() > memoryMb * 2 ** 20;
  if (!isOver && process.ppid === worker) return;
  if (isOver) writeSync(2, `\nslipway: more than ${memoryMb} MiB of memory\n`);
  process.kill(-process.pid, 'SIGKILL');
}, LOOK_MS);
