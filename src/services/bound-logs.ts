import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../adapters/folder-entries.js';
import { accessLogFile } from './folders.js';

const MOST_BYTES = 64 << 20;
/** `slipway cache prune` reads the log of some months, and remembers what it read. */
const OLDEST_MS = 400 * 86_400_000;
/** Any user of the machine may fill this log by requests. */
const MOST_PARTS = 32;

/** Bounds each log of a home: copies a large one to `LOG.1` and truncates it. Services append to their logs. The access
 * log of wheels loses no line: it becomes `LOG-20261123024000`.
 * @returns whether nginx must open its logs anew */
export function boundLogs(home: string, nowMs: number): boolean {
  const wheels = accessLogFile(home, 'wheels');
  for (const path of namesIn(dirname(wheels)).map((name) => join(dirname(wheels), name)))
    if (path.endsWith('.log') && path !== wheels && isLarge(path)) cut(path);
  if (!isLarge(wheels)) return false;
  renameSync(wheels, `${wheels}-${new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 14)}`);
  removeParts(wheels, nowMs);
  return true;
}

/** A full disk takes no copy: then these lines are lost, and the services go on. */
function cut(path: string): void {
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    rmSync(`${path}.1`, { recursive: true, force: true });
  }
  truncateSync(path);
}

/** Removes parts older than 400 days, and the oldest above the limit. */
function removeParts(log: string, nowMs: number): void {
  const parts = namesIn(dirname(log)).filter((name) => name.startsWith(`${basename(log)}-`) && /-\d{14}$/.test(name));
  for (const [at, name] of parts.sort().reverse().entries()) {
    const path = join(dirname(log), name);
    if (at >= MOST_PARTS || nowMs - statSync(path).mtimeMs > OLDEST_MS) rmSync(path);
  }
}

const isLarge = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES;
