import { fail } from '../../model/failure.js';
import { relaxAbsent } from './errors.js';

/** PEP 503: `Zope.Interface` and `zope-interface` are one package. */
const normal = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** A lock without some of its packages: their requirements go with hashes and comments, all else stays as it is.
 * Throws RELAX_ABSENT for each that the lock does not hold. */
export function relaxed(lock: string, without: readonly string[], file: string): string {
  const gone = new Set(without.map(normal));
  const found = new Set<string>();
  let taken = false;
  const kept = lock.split('\n').filter((line) => {
    const name = /^([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(line)?.[1];
    if (name !== undefined) {
      taken = gone.has(normal(name));
      if (taken) found.add(normal(name));
    } else if (!/^\s+\S/.test(line)) taken = false;
    return !taken;
  });
  const absent = without.filter((name) => !found.has(normal(name)));
  if (absent.length > 0) throw fail(absent.map((name) => relaxAbsent(name, file)));
  return kept.join('\n');
}
