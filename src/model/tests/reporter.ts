import type { Target } from '../target.js';

/** A place to which the results of a run's tests are reported. Secrets are references. */
export type Reporter =
  | {
      readonly kind: 'rows';
      /** A target of kind s3. Its path holds pipeline and label. */
      readonly target: Target;
    }
  | {
      readonly kind: 'github';
      /** Address of the API, without a slash at its end. */
      readonly address: string;
      /** `owner/name` */
      readonly repository: string;
      readonly token: string;
      /** Label of issues that block a release. Null for none. */
      readonly blocker: string | null;
      /** Only runs on this branch have standings. */
      readonly branch: string;
    }
  | {
      readonly kind: 'postgres';
      /** Address with its password. */
      readonly url: string;
      readonly table: string;
    };
export type ReporterKind = Reporter['kind'];

/** Name of a report in messages and as a service: `reports.issues`. A step of reports has the id `reports/issues`. */
export const reportName = (step: string): string => step.replace('/', '.');
