import { z } from 'zod';
import { isDigest, type Digest } from '../digest.js';
import { FAILURE_CLASSES, type FailureClass } from '../failure.js';
import type { JsonObject } from '../json.js';
import { isRecordable, OUTCOME_LIMITS, TEST_PHASES, type Outcome as Model } from '../tests/outcome.js';

const Text = z.string().max(1000);
const Count = z.int().min(0).max(1_000_000);
const Milliseconds = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const DigestText = z
  .string()
  .refine(isDigest)
  .transform((text) => text as Digest);
const CLASSES = Object.keys(FAILURE_CLASSES) as [FailureClass, ...FailureClass[]];
const Results = z
  .record(z.string(), z.unknown())
  .refine(isRecordable)
  .transform((value) => value as JsonObject);

/** An `Outcome` as anybody may have written it. Unknown keys are left out. */
export const Outcome: z.ZodType<Model> = z.object({
  slipway: z.literal(1),
  ...{ pipeline: Text, label: Text, profile: Text, run: Text, step: Text, title: Text },
  repeat: z.int().min(1).max(1_000_000),
  attempt: z.int().min(1).max(1_000_000),
  at: z.iso.datetime(),
  ms: Milliseconds,
  branch: Text.nullable(),
  commit: Text.nullable(),
  tested: z.array(z.object({ name: Text, digest: DigestText })).max(OUTCOME_LIMITS.tested),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/)
    .nullable(),
  class: z.enum(CLASSES).nullable(),
  message: z.string().max(OUTCOME_LIMITS.messageCharacters),
  phase: z.enum(TEST_PHASES),
  exit: z.int().min(-255).max(255).nullable(),
  returnCode: z.int().min(0).max(255),
  results: Results.nullable(),
  metrics: DigestText.nullable(),
  lastLogs: z.array(z.string().max(OUTCOME_LIMITS.lineCharacters)).max(OUTCOME_LIMITS.lines),
  crashPattern: z.string().max(OUTCOME_LIMITS.patternCharacters),
  nodes: z.object({
    seen: Count,
    lost: z.array(z.object({ node: Text, atMs: Milliseconds })).max(OUTCOME_LIMITS.lostNodes),
  }),
  job: z.object({ id: Text, url: Text }).nullable(),
  buildkite: z.object({ url: Text, job: Text }).nullable(),
  smoke: z.boolean(),
  stable: z.boolean(),
  owner: Text.nullable(),
  tags: z.record(Text, Text),
});
