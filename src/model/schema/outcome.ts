import { z } from 'zod';
import { isDigest, type Digest } from '../digest.js';
import { FAILURE_CLASSES, type FailureClass } from '../failure.js';
import type { JsonObject } from '../json.js';
import { isRecordable, OUTCOME_LIMITS, TEST_PHASES } from '../tests/outcome.js';

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
export const Outcome = z.object({
  slipway: z.literal(1),
  /** Name and label of the file's head. */
  ...{ pipeline: Text, label: Text },
  ...{ profile: Text, run: Text, step: Text },
  /** The name that people know: `title:` of the entry, else its name. */
  title: Text,
  /** Value of the axis `repeat`, from 1. */
  repeat: z.int().min(1).max(1_000_000),
  /** From 1. */
  attempt: z.int().min(1).max(1_000_000),
  /** End of the attempt, ISO 8601. */
  at: z.iso.datetime(),
  ms: Milliseconds,
  branch: Text.nullable(),
  /** Commit of the source, 40 hex digits. */
  commit: Text.nullable(),
  /** Products that the test used: `ray-2.60.0-cp311-cp311-manylinux2014_x86_64.whl`. */
  tested: z.array(z.object({ name: Text, digest: DigestText })).max(OUTCOME_LIMITS.tested),
  /** Our code: `TEST_FAILED`. Null if the attempt passed. */
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/)
    .nullable(),
  class: z.enum(CLASSES).nullable(),
  /** One sentence about the failure. Empty if the attempt passed. */
  message: z.string().max(OUTCOME_LIMITS.messageCharacters),
  /** Last phase that began. */
  phase: z.enum(TEST_PHASES),
  /** Exit status of the test's own program. Null if no program ended. */
  exit: z.int().min(-255).max(255).nullable(),
  /** Exit code that Ray's own framework would give. */
  returnCode: z.int().min(0).max(255),
  /** Content of the result file without secrets. Null without one, and with more than 64 kB or 100 levels: then
   * the artifact alone has it. */
  results: Results.nullable(),
  /** Artifact `metrics.json.gz`. */
  metrics: DigestText.nullable(),
  lastLogs: z.array(z.string().max(OUTCOME_LIMITS.lineCharacters)).max(OUTCOME_LIMITS.lines),
  /** See `crashPattern`. */
  crashPattern: z.string().max(OUTCOME_LIMITS.patternCharacters),
  nodes: z.object({
    /** Most nodes that were alive at once, with the head. */
    seen: Count,
    /** Nodes that died during the test; `atMs` counts from the begin of the attempt. */
    lost: z.array(z.object({ node: Text, atMs: Milliseconds })).max(OUTCOME_LIMITS.lostNodes),
  }),
  /** The job on the Ray cluster. Null if the test ran by another way. `url` is its page, empty where the cluster has no lasting dashboard. */
  job: z.object({ id: Text, url: Text }).nullable(),
  /** The Buildkite job that started the run. */
  buildkite: z.object({ url: Text, job: Text }).nullable(),
  smoke: z.boolean(),
  stable: z.boolean(),
  owner: Text.nullable(),
  /** `tags:` of the entry: frequency, team, group … */
  tags: z.record(Text, Text),
});
