import { fail } from '../../../model/failure.js';
import { normalName } from '../../../model/python/file-name.js';
import { relaxAbsent } from './errors.js';

const nameOf = (line: string): string | null => {
  const name = /^([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(line)?.[1];
  return name === undefined ? null : normalName(name);
};

function assertHeld(lock: string, without: readonly string[], file: string): ReadonlySet<string> {
  const held = new Set(lock.split('\n').map(nameOf));
  const absent = without.filter((name) => !held.has(normalName(name)));
  if (absent.length > 0) throw fail(absent.map((name) => relaxAbsent(name, file)));
  return new Set(without.map(normalName));
}

/** Returns a lock without some packages, their hashes and their comments; every other line stays. Throws RELAX_ABSENT
 * for each package that the lock lacks. */
export function relaxed(lock: string, without: readonly string[], file: string): string {
  const gone = assertHeld(lock, without, file);
  let taken = false;
  const kept = lock.split('\n').filter((line) => {
    const name = nameOf(line);
    if (name !== null) taken = gone.has(name);
    else if (!/^\s+\S/.test(line)) taken = false;
    return !taken;
  });
  return kept.join('\n');
}

/** Returns the same lock as raydepsets writes it: no empty lines, every comment at the margin, markers in double
 * quotes. */
export function relaxedExactly(lock: string, without: readonly string[], file: string): string {
  const gone = assertHeld(lock, without, file);
  const lines = lock.replace(/\\\r?\n\s*/g, CONTINUED).split('\n');
  const kept = lines.map((line) => line.trim()).filter((line) => line !== '' && !gone.has(nameOf(line) ?? ''));
  return kept.map((line) => `${nameOf(line) === null ? line : requirement(line)}\n`).join('');
}

const CONTINUED = '\u0001';

function requirement(line: string): string {
  const [whole = '', ...hashes] = line.split(CONTINUED).map((part) => part.trim());
  const [spec = '', marker] = whole.split(';').map((part) => part.trim());
  return [marker === undefined ? spec : `${spec}; ${marker.replaceAll("'", '"')}`, ...hashes].join(' \\\n    ');
}
