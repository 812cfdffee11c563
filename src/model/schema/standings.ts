import { z } from 'zod';
import {
  STANDING_NAMES,
  type Consequence,
  type Standings as Model,
  type TestAction as Action,
} from '../tests/standing.js';

/** Records as anybody may have written them. Unknown keys are left out. */
const Text = z.string().max(2000);
const Time = z.iso.datetime();
const No = z.int().min(0).max(999_999);
const MOST_TESTS = 20_000;

const Issue = z.object({ number: z.int().min(1), open: z.boolean() });
const Jail = z.object({ owner: Text, until: Time, reason: Text, by: Text.nullable() });

const Standing = z.object({
  title: Text,
  state: z.enum(STANDING_NAMES),
  since: No,
  letters: z.string().regex(/^[PpFIS]{0,400}$/),
  owner: Text.nullable(),
  team: Text.nullable(),
  jail: Jail.nullable(),
  served: z.literal(true).exactOptional(),
  issue: Issue.nullable(),
  blamed: Text.nullable(),
});

const Labels = z.array(Text).max(100);
const Consequences: z.ZodType<Consequence> = z.discriminatedUnion('do', [
  z.object({ do: z.literal('bisect'), good: Text, bad: Text }),
  z.object({ do: z.literal('openIssue'), labels: Labels, blocker: z.boolean() }),
  z.object({
    ...{ do: z.literal('comment'), issue: z.int().nullable(), text: z.string().max(10_000) },
    ...{ addLabels: Labels, removeLabels: Labels },
  }),
  z.object({ do: z.literal('closeIssue'), issue: z.int().nullable(), text: Text }),
]);

export const Standings: z.ZodType<Model> = z.object({
  slipway: z.literal(1),
  ...{ pipeline: Text, profile: Text, branch: Text },
  nights: z.array(z.object({ no: No, run: Text, label: Text, at: Time, commit: Text.nullable() })).max(400),
  actions: No,
  tests: z
    .record(Text, Standing)
    .refine((tests) => Object.keys(tests).length <= MOST_TESTS, `at most ${MOST_TESTS} tests`),
  moves: z
    .array(
      z.object({
        ...{ test: Text, from: z.enum(STANDING_NAMES), to: z.enum(STANDING_NAMES), because: Text },
        consequences: z.array(Consequences).max(10),
      }),
    )
    .max(2 * MOST_TESTS),
});

const said = { slipway: z.literal(1), test: Text, by: Text, at: Time };

export const TestAction: z.ZodType<Action> = z.discriminatedUnion('action', [
  z.object({ ...said, action: z.literal('jail'), owner: Text, until: Time, reason: Text }),
  z.object({ ...said, action: z.literal('unjail'), reason: Text }),
  z.object({ ...said, action: z.literal('issue'), issue: Issue }),
  z.object({ ...said, action: z.literal('blame'), commits: Text }),
]);
