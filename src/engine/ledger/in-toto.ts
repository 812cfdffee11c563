import { type Digest, hexOf } from '../../model/digest.js';
import type { JsonObject } from '../../model/json.js';

/** Makes an in-toto Statement v1 with SLSA Provenance v1.
 * @param build the `buildDefinition`
 * @param made fields of `runDetails` besides the builder */
export const inToto = (subject: readonly JsonObject[], build: JsonObject, made: JsonObject = {}): JsonObject => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject,
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: { buildDefinition: build, runDetails: { builder: { id: 'urn:slipway:engine:1' }, ...made } },
});

export const sha256 = (digest: Digest): JsonObject => ({ sha256: hexOf(digest) });
