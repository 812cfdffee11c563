import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export { readJson } from '../adapters/json-file.js';

/** Writes by rename, so that a reader never sees half of a file. */
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

/** Writes 256 random bits in hex, once, readable by this user alone. */
export function keepSecret(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${randomBytes(32).toString('hex')}\n`, 0o600);
}

/** Reads a secret, and writes it first where it is absent. */
export function keptSecret(file: string): string {
  keepSecret(file);
  return readFileSync(file, 'utf8').trim();
}

export function tail(path: string, lines = 12): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines);
  } catch {
    return [];
  }
}
