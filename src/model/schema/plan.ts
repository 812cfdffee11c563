import { z } from 'zod';
import { KINDS, type KindName } from '../kinds.js';
import { NOTICE_EVENTS } from '../listener.js';
import { RULED_CLASSES } from '../plan.js';
import { Pool } from './cluster-params.js';
import { Outlet } from './command.js';
import { PARAMS } from './params.js';

/** Retries of a step for one failure class. */
export const Retry = z.object({
  times: z.int(),
  waitMs: z.number(),
  /** Upper end of a range. The wait is drawn evenly between `waitMs` and this. */
  waitToMs: z.number().exactOptional(),
  /** A retry comes at the next multiple of this time. Retries of many steps then share a wake-up of the run. */
  togetherMs: z.number().positive().exactOptional(),
  atMostMs: z.number(),
});
const ids = z.array(z.string());

const Step = z
  .object({
    id: z.string().regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)+$/),
    kind: z.enum(Object.keys(KINDS) as [KindName, ...KindName[]], {
      error: ({ input }) => `this program does not know the kind ${JSON.stringify(input)}`,
    }),
    on: z.string().min(1),
    params: z.unknown(),
    source: z.string().exactOptional(),
    needs: ids,
    wants: ids,
    after: ids,
    uses: z.object({ tools: ids, pythons: ids }).exactOptional(),
    limitMs: z.number().positive(),
    epoch: z.int().positive().optional(),
    onFailure: z.enum(['tell', 'stop']).exactOptional(),
    cache: z.literal('always').exactOptional(),
    pool: Pool.exactOptional(),
    tolerate: z.string().exactOptional(),
    retry: z.object({
      ...{ infra: Retry, lost: Retry, product: Retry.exactOptional(), outageMs: z.number().optional() },
      exit: z.record(z.string(), z.enum(RULED_CLASSES)).optional(),
      lines: z.array(z.object({ match: z.string(), class: z.enum(RULED_CLASSES) })).optional(),
    }),
  })
  .superRefine((step, context) => {
    const parsed = PARAMS[step.kind].safeParse(step.params);
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: ['params', ...path] });
  });

export const Listener = z.object({
  name: z.string().regex(/^[A-Za-z0-9._-]+$/),
  on: z.array(z.enum(NOTICE_EVENTS)),
  rehearsal: z.boolean(),
  outlet: Outlet,
  /** Prefixes of bundle files that its line reads. */
  files: ids,
});

/** Times from the first notification to the first reminder, and between two reminders. */
export const Remind = z.object({ afterMs: z.number().positive(), everyMs: z.number().positive() });

/** A plan as workers rely on it. Other JSON under a plan's name fails. */
export const PlanShape = z.object({
  slipway: z.literal(1),
  release: z.object({ name: z.string(), version: z.string() }),
  pipeline: z.literal(true).exactOptional(),
  isolation: z.literal('none').exactOptional(),
  profile: z.object({ name: z.string(), rehearsal: z.boolean() }),
  steps: z.array(Step),
  dropped: z.array(z.object({ id: z.string(), because: z.string() })),
  notify: z.object({ listeners: z.array(Listener), remind: Remind }).exactOptional(),
});

/** Returns the first fault of a plan. Null if it is valid. */
export function planFault(plan: unknown): string | null {
  const issue = PlanShape.safeParse(plan).error?.issues[0];
  return issue ? [...(issue.path.length > 0 ? [issue.path.join('.')] : []), issue.message].join(': ') : null;
}
