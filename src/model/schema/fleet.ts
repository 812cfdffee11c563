import { z } from 'zod';
import { KINDS, type KindName } from '../kinds.js';
import { Duration, Name } from './scalars.js';

/** Parses `12m` or `40%` into milliseconds or a share of each step's time limit. */
const Assumed = z
  .string()
  .refine((text) => /^(100|[1-9]?\d)%$/.test(text) || Duration.safeParse(text).success, {
    message: 'a duration, or a share of the time limit: 12m, 40%',
  })
  .transform((text): { readonly ms: number } | { readonly share: number } =>
    text.endsWith('%') ? { share: Number(text.slice(0, -1)) / 100 } : { ms: Duration.parse(text) },
  );

/** The file of `slipway simulate --fleet`. */
export const Fleet = z.strictObject({
  queues: z
    .record(
      Name,
      z.strictObject({
        workers: z.int().min(0).max(100_000).describe('Machines that serve the queue.'),
        slots: z.int().min(1).max(1000).default(1).describe('Steps that each has under way at once.'),
      }),
    )
    .describe('Every queue that the plan names.'),
  durations: z
    .partialRecord(z.enum(Object.keys(KINDS) as [KindName, ...KindName[]]), Assumed)
    .default({})
    .describe('What steps of a kind take, whatever was measured: 12m, or a share of their time limit: 40%.'),
});
