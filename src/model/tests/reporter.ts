import type { Infer } from '../schema/infer.js';
import type * as schema from '../schema/target.js';

/** A place to which the results of a run's tests are reported. */
export type Reporter = Infer<typeof schema.Reporter>;
export type ReporterKind = Reporter['kind'];

/** Name of a report in messages and as a service: `reports.issues`. A step of reports has the id `reports/issues`. */
export const reportName = (step: string): string => step.replace('/', '.');
