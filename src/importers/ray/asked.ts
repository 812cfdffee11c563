import type { Change } from './drafts.js';
import type { Resources } from './groups.js';

/** `tests: { NAME: { import: ray, … } }` */
export interface RayImport {
  readonly files: readonly string[];
  readonly needs: readonly string[];
  readonly where?:
    | {
        readonly frequency?: string | undefined;
        readonly match?: readonly string[] | undefined;
        readonly smoke?: boolean | undefined;
        readonly unstable?: 'skip' | undefined;
        readonly jailed?: 'skip' | undefined;
      }
    | undefined;
  /** A name in clusters: for each environment, or drop. */
  readonly clusters: Readonly<Record<string, string>>;
  readonly change: readonly Change[];
  readonly prefix: string;
  readonly byod?:
    | {
        readonly base: string;
        readonly dockerfile: string;
        readonly versions: Readonly<Record<string, string>>;
        readonly network: boolean;
      }
    | undefined;
  /** Rows for instance types; for `*`, the group of all unknown ones. */
  readonly instances: Readonly<Record<string, Resources | string>>;
}

export const DROP = 'drop';

/** Returns the cluster of an environment, or DROP. An environment may be called `constructor`. */
export const clusterOf = ({ clusters }: RayImport, environment: string): string | undefined =>
  Object.hasOwn(clusters, environment) ? clusters[environment] : undefined;
