import type * as schema from '../schema/cluster-params.js';
import type { Infer } from '../schema/infer.js';

/** Parameters of a test on a cluster. */
export type ClusterTestParams = Infer<typeof schema.ClusterTestShape>;
export type ClusterSpec = ClusterTestParams['cluster'];
export type ClusterManager = ClusterSpec['manager'];
export type ClusterLines = Infer<typeof schema.ClusterLines>;
export type Alert = ClusterTestParams['alerts'][number];
export type LimitedLine = ClusterTestParams['test'];
/** Counted places of a group of tests; an attempt holds one. */
export type Pool = NonNullable<ClusterTestParams['pool']>;

/** True for a cluster that goes on without its worker. */
export const outlivesWorker = ({ by }: ClusterManager): boolean => by === 'jobs' || by === 'command';

/** True for a cluster that has its own Ray and sees nothing of the worker's files. */
export const isForeign = (manager: ClusterManager): boolean => manager.by === 'ssh' || outlivesWorker(manager);

/** How a test reaches its cluster. */
export const CLUSTER_CLIENTS = ['job', 'command', 'client', 'sdk'] as const;
export type ClusterClient = (typeof CLUSTER_CLIENTS)[number];

/** Time for results, alerts and the end of the cluster, beyond all limits of a test. */
export const CLUSTER_SLACK_MS = 15 * 60_000;
