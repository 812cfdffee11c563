import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = join(__dirname, '..', 'golden');

/** Compares text with `tests/golden/<name>`. `UPDATE_GOLDEN=1 npm test` rewrites it: the diff is the review. */
export function expectGolden(name: string, text: string): void {
  const path = join(FOLDER, name);
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}
