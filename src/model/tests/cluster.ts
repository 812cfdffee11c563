import type { StepId } from '../ids.js';

/** One line of a manager that is a command; `$CLUSTER` holds the request as JSON. */
export interface ClusterLines {
  /** Makes the cluster. Its last line of output is JSON that later lines find in `$HANDLE`. */
  readonly up: string;
  /** Prints a number: nodes that are alive, the head included. */
  readonly nodes: string;
  /** Copies the folder `$FROM` to the folder `$TO` of the head. */
  readonly put: string;
  /** Copies the folder `$FROM` of the head to the folder `$TO`. */
  readonly get: string;
  /** Runs the script `$SCRIPT` of the head. Its exit status is the test's. */
  readonly run: string;
  readonly down: string;
  /** Follows the test `$JOB` that an earlier worker started. Its exit status is the test's. */
  readonly attach?: string;
}

/** How the cluster of one attempt is made. */
export type ClusterManager =
  | { readonly by: 'local' }
  | {
      readonly by: 'docker';
      /** Step of the image of the nodes. */
      readonly base: StepId;
      readonly memoryMiB: number | null;
      /** Folder of Python and Ray in the image. Absent: the environment of the test is mounted. */
      readonly ray?: string;
    }
  | {
      readonly by: 'ssh';
      readonly hosts: readonly string[];
      /** Folder of a virtual environment with Ray on each host. */
      readonly ray: string;
      readonly config: string | null;
    }
  | { readonly by: 'jobs'; readonly address: string }
  | { readonly by: 'command'; readonly lines: ClusterLines };

/** True for a cluster that goes on without its worker. */
export const outlivesWorker = ({ by }: ClusterManager): boolean => by === 'jobs' || by === 'command';

/** True for a cluster that has its own Ray and sees nothing of the worker's files. */
export const isForeign = (manager: ClusterManager): boolean => manager.by === 'ssh' || outlivesWorker(manager);

export interface ClusterSpec {
  readonly name: string;
  readonly manager: ClusterManager;
  /** Nodes, the head included. */
  readonly nodes: number;
  readonly cpus: number;
  /** Time until all of its processes are started. */
  readonly upMs: number;
}

/** How a test reaches its cluster. */
export const CLUSTER_CLIENTS = ['job', 'command', 'client', 'sdk'] as const;
export type ClusterClient = (typeof CLUSTER_CLIENTS)[number];

/** A bound on one value of the result file. */
export interface Alert {
  /** Path into the result: names with dots between. `last_update_age` is the age of the file in seconds. */
  readonly value: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly equals?: string | number | boolean;
}

/** A line of a cluster test with its own time limit. */
export interface LimitedLine {
  readonly run: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** Counted places of a group of tests; an attempt holds one. */
export interface Pool {
  readonly name: string;
  readonly limit: number;
}

/** Parameters of a test on a cluster. */
export interface ClusterTestParams {
  /** Version or label of the run, part of the step key: another one tests again. */
  readonly label: string;
  /** The original name, if the step's name differs. */
  readonly title: string | null;
  readonly cluster: ClusterSpec;
  readonly wait: { readonly nodes: number; readonly forMs: number };
  readonly by: ClusterClient;
  readonly prepare: LimitedLine | null;
  readonly test: LimitedLine;
  readonly env: Readonly<Record<string, string>>;
  /** Working folder, relative to the source tree. Null: an empty folder. */
  readonly folder: string | null;
  /** True if reaching the time limit is no failure. */
  readonly long: boolean;
  readonly result: string | null;
  readonly artifact: string | null;
  readonly alerts: readonly Alert[];
  readonly python: string | null;
  readonly smoke: boolean;
  readonly pool: Pool | null;
  readonly owner: string | null;
  /** Texts that outcomes carry: `{ frequency: nightly, team: core }`. */
  readonly about: Readonly<Record<string, string>>;
}

/** Time for results, alerts and the end of the cluster, beyond all limits of a test. */
export const CLUSTER_SLACK_MS = 15 * 60_000;
