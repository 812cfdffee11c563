import { z } from 'zod';
import { isDigest, type Digest } from '../digest.js';

/** Evidence files from anywhere. Unused keys are dropped. */
const Text = z.string().max(10_000);
const Hex = z.string().regex(/^[0-9a-f]{64}$/);
const Sha256 = z.object({ sha256: Hex }).transform(({ sha256 }): Digest => `sha256:${sha256}`);
const DigestText = z
  .string()
  .refine(isDigest)
  .transform((text) => text as Digest);

/** `NAME-VERSION.intoto.jsonl`, one line. */
export const EnvelopeFile = z.object({
  payloadType: z.literal('application/vnd.in-toto+json'),
  payload: z.base64().max(200_000_000),
  signatures: z
    .array(z.object({ keyid: Text, sig: z.base64().max(2000) }))
    .min(1)
    .max(20),
});

const Named = z.object({
  name: Text,
  digest: Sha256,
  annotations: z.object({ kind: Text.optional(), step: Text.optional(), isolation: Text.optional() }).optional(),
});

/** In-toto Statement v1 with SLSA Provenance v1, for a release by Slipway. */
export const StatementFile = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  predicateType: z.literal('https://slsa.dev/provenance/v1'),
  subject: z.array(Named).max(200_000),
  predicate: z.object({
    buildDefinition: z.object({
      buildType: z.literal('urn:slipway:release:1'),
      externalParameters: z.object({ release: z.object({ name: Text, version: Text }) }),
      internalParameters: z.object({ plan: Sha256, manifest: Sha256 }),
      resolvedDependencies: z
        .array(z.object({ name: Text, digest: z.object({ gitCommit: Text.optional(), sha256: Hex.optional() }) }))
        .min(1)
        .max(100_000),
    }),
    runDetails: z.object({ byproducts: z.array(z.object({ name: Text, digest: Sha256 })).max(1000) }),
  }),
});

/** `manifest.json`. */
export const ManifestFile = z.object({
  slipway: z.literal(1),
  release: z.object({ name: Text, version: Text }),
  evidence: z
    .array(z.object({ name: Text, digest: DigestText }))
    .max(200_000)
    .default([]),
});

/** `NAME-VERSION.cdx.json`. */
export const BillFile = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: Text, version: Text })).max(1_000_000),
});

/** A line of `approvals.jsonl`: the signed text and an OpenSSH signature. */
export const ApprovalLine = z.object({ text: z.string().max(100_000), signature: z.string().max(20_000) });
export const ApprovalText = z.object({ decision: Text, gate: Text, manifest: Text, by: Text.nullable() });
