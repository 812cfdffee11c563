import type { Problem } from '../../model/failure.js';
import { signaturesIncomplete } from './errors.js';

/** Signatures get no checksum files, as in Maven itself. */
export const isSignature = (name: string): boolean => name.endsWith('.asc');

/** Returns a problem if only some files are signed. Maven Central's rule ("Requirements", GPG/PGP signatures)
 * applies to every repository. */
export function judgeSignatures(target: string, names: readonly string[]): readonly Problem[] {
  const all = new Set(names);
  const signatures = names.filter(isSignature);
  if (signatures.length === 0) return [];
  const unsigned = names.filter((name) => !isSignature(name) && !all.has(`${name}.asc`));
  const stray = signatures.filter((name) => !all.has(name.slice(0, -'.asc'.length)));
  return unsigned.length + stray.length === 0 ? [] : [signaturesIncomplete(target, unsigned, stray)];
}
