import { z } from 'zod';
import { Duration } from '../scalars.js';

const Jail = z.strictObject({
  after: z.int().min(2).max(30).default(3).describe('Failures in a row until a test that has an owner is jailed.'),
  for: Duration.refine((ms) => ms > 0, 'a jail lasts longer than 0s')
    .prefault('14d')
    .describe('Time until a jailed test blocks again.'),
});

const Flaky = z.strictObject({
  of: z.int().min(2).max(30).default(30).describe('Results that are looked at.'),
  share: z
    .int()
    .min(1)
    .max(100)
    .default(7)
    .describe('Percentage of them that are failures after a pass, from which a test is flaky.'),
  calm: z.int().min(1).max(30).default(10).describe('Passes in a row after which a flaky test passes again.'),
});

/** Policy for standings of cluster tests. */
export const StandingsSection = z.strictObject({
  branch: z
    .string()
    .min(1)
    .max(120)
    .refine((text) => text.trim() === text, 'a branch has no spaces around it')
    .describe('Only runs on this branch count.'),
  jail: Jail.prefault({}).describe('When failing tests stop to block, and until when.'),
  flaky: Flaky.prefault({}).describe('When a test counts as flaky.'),
  bisect: z
    .enum(['tell', 'start'])
    .default('tell')
    .describe(
      'When a test turns failing: `tell` names the commits to bisect, `start` also starts the bisect. Ten a day may begin.',
    ),
  infra: z
    .enum(['ignored', 'counts'])
    .default('ignored')
    .describe(
      "Infrastructure failures: `ignored` moves no test, `counts` takes them for failures, as Ray's own tools do.",
    ),
});
export type StandingsSection = z.infer<typeof StandingsSection>;

/** Parameters of the step `keepStandings`. */
export const KeepStandings = z.strictObject({
  /** Only runs on this branch count. */
  branch: z.string().min(1),
  /** Failures in a row until a test that has an owner is jailed. */
  jail: z.strictObject({ after: z.int().min(2), forMs: z.number().positive() }),
  flaky: z.strictObject({
    /** Number of nights in the window. */
    of: z.int().min(2),
    /** Percentage of them in which a failure follows a pass. */
    share: z.int().min(1),
    /** Passes in a row after which a flaky test passes again. */
    calm: z.int().min(1),
  }),
  /** Infrastructure failures count as failures. */
  infraCounts: z.boolean(),
  /** A test that turns failing starts a bisect. */
  startsBisects: z.literal(true).exactOptional(),
});
