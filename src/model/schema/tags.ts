import { z } from 'zod';
import { mustCompile } from './expression-text.js';
import { Name } from './scalars.js';

const pattern = z.string().max(200, 'a pattern has at most 200 characters').superRefine(mustCompile);

const Rule = z.string().min(1).describe('What a reader calls it: shown beside each tag that it made.');

/** A tags file: prefixes of an image's tags, and the part that each axis adds. */
export const TagRules = z.strictObject({
  versions: z
    .array(
      z.strictObject({
        rule: Rule,
        channel: Name.describe('A release file may name it; otherwise the first row whose `when` holds is taken.'),
        when: z.partialRecord(z.enum(['branch', 'schedule', 'pull']), pattern).default({}),
        tags: z.array(z.string().min(1)).min(1).describe('{version} {sha6} {build} {yymmdd} {pull}. Written once.'),
        moves: z.array(z.string().min(1)).default([]).describe('Tags that go along with each newer commit: nightly.'),
      }),
    )
    .min(1)
    .describe('First row that holds: what a tag begins with.'),
  parts: z
    .array(
      z.strictObject({
        axis: Name.describe('An axis of the image, or `image` for its name.'),
        rows: z
          .array(
            z.strictObject({
              rule: Rule,
              is: pattern.describe('The whole value of the axis; empty where the image has no such axis.'),
              image: pattern.optional().describe('Only for images of this name.'),
              add: z.array(z.string()).min(1).describe('Endings, $1 from the pattern; each makes a tag of its own.'),
            }),
          )
          .min(1),
      }),
    )
    .default([])
    .describe('In the order of a tag. Every row that fits adds its endings.'),
});
export type TagRules = z.infer<typeof TagRules>;
