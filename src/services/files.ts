import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A reader sees the old file or the new one, never half of one. */
export function writeAtomically(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true });
  const half = `${path}.${process.pid}.half`;
  try {
    writeFileSync(half, text, { mode });
    renameSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}

export const writeJson = (path: string, value: object): void =>
  writeAtomically(path, `${JSON.stringify(value, null, 2)}\n`);

/** null where the file is not there or is not JSON: each of ours can be made again. */
export function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** Last lines of a log, for people; empty where there is none. */
export function tail(path: string, lines = 12): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines);
  } catch {
    return [];
  }
}
