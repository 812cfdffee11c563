import { hexOf, type Digest } from '../../model/digest.js';
import { canonical, type JsonObject } from '../../model/json.js';
import type { StepId } from '../../model/ids.js';
import type { IndexEntry } from '../../model/python/index-entry.js';

const STATEMENT = 'https://in-toto.io/Statement/v1';
const PREDICATE = 'https://slsa.dev/provenance/v1';
const BUILD_TYPE = 'urn:slipway:wheel:1';
const BUILDER = 'urn:slipway:engine:1';

export interface StatedWheel extends Pick<IndexEntry, 'file' | 'digest' | 'from'> {
  readonly plan: Digest;
  readonly step: StepId;
}

/** Makes the in-toto statement of one wheel. It has no time, run or machine. */
export function wheelStatement({ file, digest, from, plan, step }: StatedWheel): string {
  const inputs = Object.entries(from).filter((input): input is [string, Digest] => input[1] !== null);
  return `${canonical({
    _type: STATEMENT,
    subject: [{ name: file, digest: sha256(digest) }],
    predicateType: PREDICATE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { step },
        internalParameters: { plan: sha256(plan) },
        resolvedDependencies: inputs.map(([name, input]) => ({ name, digest: sha256(input) })),
      },
      runDetails: { builder: { id: BUILDER } },
    },
  })}\n`;
}

const sha256 = (digest: Digest): JsonObject => ({ sha256: hexOf(digest) });
