import { z } from 'zod';
import { frame } from '../frame.js';
import { Name, Secret } from '../scalars.js';

const common = {
  timeout: frame.timeout,
  retry: frame.retry,
  onFailure: z
    .enum(['hold', 'tell'])
    .default('tell')
    .describe(
      'Once its retries are used up: tell ends the step as failed, hold waits for an action. No test is affected.',
    ),
};

export const Rows = z.strictObject({
  kind: z.literal('rows').describe('One file of JSON lines for each run, a line for each attempt of a test.'),
  to: Name.describe('A target of kind s3 in the profile. The file is PIPELINE/LABEL/RUN.jsonl below its address.'),
  ...common,
});
export const Github = z.strictObject({
  kind: z.literal('github').describe('An issue for each test that fails for good: opened, commented, closed.'),
  repository: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,39}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, 'a repository is owner/name')
    .describe('owner/name of the repository with the issues.'),
  token: Secret.describe(
    '$NAME, file:/path or command:LINE: a token that may write issues. Only the control worker reads it.',
  ),
  blocker: z
    .string()
    .min(1)
    .max(50, 'a label of GitHub has at most 50 characters')
    .optional()
    .describe('Label of issues that block a release.'),
  ...common,
});
export const Postgres = z.strictObject({
  kind: z.literal('postgres').describe('A row for each attempt of a test in a table of PostgreSQL.'),
  table: z
    .string()
    .regex(
      /^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/,
      'a table is lower-case letters, digits and "_": results, nightly.results',
    )
    .describe('The table. It is created if it is absent.'),
  ...common,
});

export type Report = z.infer<typeof Rows | typeof Github | typeof Postgres>;
