import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MOST_BYTES = 64 << 20;
/** `slipway cache prune` reads the log of some months, and remembers what it read. */
const OLDEST_MS = 400 * 86_400_000;

/** Renames a large access log to `LOG-20261123024000`, and removes such parts after 400 days. The server that writes it
 * must not run. */
export function rotateAccessLog(log: string, nowMs: number): void {
  const stamp = new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 14);
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(log, `${log}-${stamp}`);
  for (const name of namesBeside(log)) {
    const path = join(dirname(log), name);
    const seen = statSync(path, { throwIfNoEntry: false });
    if (/-\d{14}$/.test(name) && seen !== undefined && nowMs - seen.mtimeMs > OLDEST_MS) rmSync(path);
  }
}

function namesBeside(log: string): readonly string[] {
  try {
    return readdirSync(dirname(log)).filter((name) => name.startsWith(`${basename(log)}-`));
  } catch {
    return [];
  }
}
