import { z } from 'zod';
import { ExpressionText } from './expression-text.js';
import { Name } from './scalars.js';

const Most = z.int().min(0).nullable();
const Group = z.strictObject({
  pool: Name,
  /** How many tests of the group run at once; it belongs to the request, so that two rows may share a pool. */
  limit: z.int().min(1),
  /** At least, at most; null: any number. */
  cpus: z.tuple([z.int().min(0), Most]).optional(),
  gpus: z.tuple([z.int().min(0), Most]).optional(),
});

/** config/groups/*.yaml: concurrency groups by environment, `'*'` for all others; the first row that fits counts. */
export const Groups = z.record(z.string(), z.array(Group).min(1));
export type Groups = z.infer<typeof Groups>;

/** A number, or how to read it in the name: `$1`, `4*$1`. */
const Amount = z.union([z.int().min(0), z.string().regex(/^(\d{1,3}\*)?\$\d$/)]);

/** config/instances.yaml: CPUs and GPUs of instance types. */
export const Instances = z.strictObject({
  exact: z.record(z.string(), z.tuple([z.int().min(0), z.int().min(0)])),
  /** For other names: the first expression that is the whole name. One without cpus makes the type unknown. */
  rules: z.array(z.strictObject({ match: ExpressionText, cpus: Amount.optional(), gpus: Amount.default(0) })),
});
export type Instances = z.infer<typeof Instances>;

const Alert = z.strictObject({
  value: z.string().min(1),
  atMost: z.number().optional(),
  atLeast: z.number().optional(),
});

/** config/alerts/*.yaml: alerts by suite and name of the test, without the suffix of its environment. */
export const Alerts = z.record(
  z.string(),
  z.strictObject({
    /** The suite needs a result file. */
    result: z.boolean().default(true),
    tests: z.record(z.string(), z.strictObject({ full: z.array(Alert), smoke: z.array(Alert).optional() })).default({}),
  }),
);
export type Alerts = z.infer<typeof Alerts>;

/** Upstream's rules as data. */
export interface RayConfig {
  readonly groups: Groups;
  readonly instances: Instances;
  readonly alerts: Alerts;
}
