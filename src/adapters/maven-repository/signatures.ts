import type { Problem } from '../../model/failure.js';
import { signaturesIncomplete } from './errors.js';

/** A signature is checked by its key: like Maven itself we put no checksums beside it. */
export const isSignature = (name: string): boolean => name.endsWith('.asc');

/** Maven Central's rule, for every repository: where one file is signed, all are ("Requirements", GPG/PGP signatures). */
export function judgeSignatures(target: string, names: readonly string[]): readonly Problem[] {
  const all = new Set(names);
  const signatures = names.filter(isSignature);
  if (signatures.length === 0) return [];
  const unsigned = names.filter((name) => !isSignature(name) && !all.has(`${name}.asc`));
  const stray = signatures.filter((name) => !all.has(name.slice(0, -'.asc'.length)));
  return unsigned.length + stray.length === 0 ? [] : [signaturesIncomplete(target, unsigned, stray)];
}
