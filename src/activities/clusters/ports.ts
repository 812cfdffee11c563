import type { ClusterClient, ClusterSpec } from '../../model/tests/cluster.js';
import type { Confine } from '../step/confine.js';

/** Makes clusters. */
export interface Clusters {
  /** Throws CLUSTER_REFUSED, CLUSTER_FAILED or CLUSTER_NOT_UP. Nothing is left of it then, unless details of the
   * problem say `left`. */
  up(request: ClusterRequest): Promise<Cluster>;
  /** Finds a cluster again that an earlier worker left. Only for those that go on without their worker.
   * @param handle of the cluster. Empty: its start did not end */
  find?(request: ClusterRequest, handle: string): Promise<Cluster>;
}

export interface ClusterRequest {
  readonly spec: ClusterSpec;
  /** Identifies the attempt: run, step and attempt. */
  readonly id: string;
  /** A folder of the attempt that all nodes see, where the manager shares folders. */
  readonly folder: string;
  /** Virtual environment with Ray. Null: the cluster brings its own. */
  readonly venv: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly confine: Confine;
  /** Image of the nodes, and what they mount besides `folder`. Only for containers. */
  readonly containers: ClusterContainers | null;
  readonly signal: AbortSignal;
  /** Told why the start waits for its turn. Null: its turn has come. */
  readonly takesTurn?: (because: string | null) => void;
  /** Output of the cluster's own programs. */
  readonly log: (text: string) => void;
}

export interface ClusterContainers {
  readonly image: string;
  readonly readOnly: readonly string[];
}

export interface NodeSeen {
  readonly id: string;
  readonly address: string;
  readonly alive: boolean;
}

export interface ClusterLine {
  /** Path of the script on the head. */
  readonly script: string;
  readonly by: ClusterClient;
  /** Identifies the job. */
  readonly id: string;
  /** Time after which a program that nobody follows ends by itself. */
  readonly endMs: number;
  /** True: an earlier worker has started it. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  /** Asked after an abort. True: the program goes on, and the next worker follows it. */
  readonly leaves: () => boolean;
  readonly onOutput: (text: string) => void | Promise<void>;
}

export interface Cluster {
  /** The path at which the head sees the folder after `put`. */
  readonly at: string;
  /** True where the head runs the programs of this worker's file system, its venv too. */
  readonly shared: boolean;
  /** The handle by which another worker finds it. Null: it ends with its worker. */
  readonly handle: string | null;
  /** Page of a job in a dashboard that people reach, also after the test. Absent: there is none. */
  readonly pageOf?: (job: string) => string;
  /** Nodes that the head knows. Throws while it does not answer. */
  nodes(): Promise<readonly NodeSeen[]>;
  /** Copies the folder to the head. */
  put(): Promise<void>;
  /** Copies `out` of the folder back. Throws where that fails. Returns by how many milliseconds the head's clock is ahead of this
   * machine's, where it can tell. */
  get(): Promise<number | void>;
  /** Returns the exit status of a script, null if the cluster went away. An abort stops it and its
   * children, unless the worker leaves it to the next. */
  run(line: ClusterLine): Promise<number | null>;
  /** Ends all of it. Returns why something may be left, in words. Null if nothing is. Never throws. */
  down(): Promise<string | null>;
}
