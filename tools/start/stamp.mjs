import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Digest of files and other facts: whatever changes the result of a part. */
export function digest(files, facts = []) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.update(JSON.stringify(facts)).digest('hex');
}

export function isStamped(path, wanted) {
  try {
    return readFileSync(path, 'utf8') === wanted;
  } catch {
    return false;
  }
}

/** The last act of a part: killed before it, the part starts again. */
export function stamp(path, value) {
  writeFileSync(`${path}.half`, value);
  renameSync(`${path}.half`, path);
}
