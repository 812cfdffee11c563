import type { Digest } from '../../model/digest.js';
import { canonical } from '../../model/json.js';
import type { StepId } from '../../model/ids.js';
import type { IndexEntry } from '../../model/python/index-entry.js';
import { inToto, sha256 } from '../ledger/provenance.js';

export interface StatedWheel extends Pick<IndexEntry, 'file' | 'digest' | 'from'> {
  readonly plan: Digest;
  readonly step: StepId;
}

/** Makes the in-toto statement of one wheel. It has no time, run or machine. */
export function wheelStatement({ file, digest, from, plan, step }: StatedWheel): string {
  const inputs = Object.entries(from).filter((input): input is [string, Digest] => input[1] !== null);
  const build = {
    buildType: 'urn:slipway:wheel:1',
    externalParameters: { step },
    internalParameters: { plan: sha256(plan) },
    resolvedDependencies: inputs.map(([name, input]) => ({ name, digest: sha256(input) })),
  };
  return `${canonical(inToto([{ name: file, digest: sha256(digest) }], build))}\n`;
}
