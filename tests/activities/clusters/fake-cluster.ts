import type {
  Cluster,
  ClusterLine,
  ClusterRequest,
  Clusters,
  NodeSeen,
} from '../../../src/activities/clusters/ports.js';

/** Behaviour of a cluster without machines. */
export interface FakeCluster {
  readonly nodes?: () => readonly NodeSeen[];
  /** Answers of scripts by the end of their path: an exit status, null for a cluster that went away. */
  readonly answers?: Readonly<
    Record<string, (line: ClusterLine, folder: string) => Promise<number | null> | number | null>
  >;
  /** Returns by how many milliseconds the head's clock is ahead. */
  readonly get?: () => Promise<number | void>;
  readonly up?: () => never;
  /** Why its start waits for its turn. */
  readonly waits?: string;
  /** Why `down` leaves something, each time. */
  readonly leaves?: string;
  /** The handle that finds it again. Then `find` is there too, and it goes on without its worker. */
  readonly handle?: string;
  readonly pageOf?: (job: string) => string;
}

/** Clusters whose scripts are functions. `calls` has what was asked of it, in order. */
export function fakeClusters(fake: FakeCluster): {
  readonly clusters: Clusters;
  readonly calls: readonly string[];
  readonly requests: readonly ClusterRequest[];
} {
  const calls: string[] = [];
  const requests: ClusterRequest[] = [];
  const clusterOf = ({ folder }: ClusterRequest): Cluster => ({
    at: folder,
    shared: true,
    handle: fake.handle ?? null,
    ...(fake.pageOf && { pageOf: fake.pageOf }),
    nodes: async () => fake.nodes?.() ?? [aNode('1')],
    put: async () => void calls.push('put'),
    get: async () => {
      calls.push('get');
      return fake.get?.();
    },
    run: async (line) => {
      const name = line.script.split('/').at(-1)!.replace('.sh', '');
      calls.push(`${line.again ? 'again ' : ''}${name} by ${line.by}`);
      return (await fake.answers?.[name]?.(line, folder)) ?? (name in (fake.answers ?? {}) ? null : 0);
    },
    down: async () => {
      calls.push('down');
      return fake.leaves ?? null;
    },
  });
  const up: Clusters['up'] = async (request) => {
    calls.push('up');
    requests.push(request);
    if (fake.waits !== undefined) request.takesTurn?.(fake.waits);
    fake.up?.();
    return clusterOf(request);
  };
  const find: Clusters['find'] = async (request, handle) => {
    calls.push(`find ${request.id.split('-').at(-1)} ${handle}`.trim());
    return clusterOf(request);
  };
  return { clusters: fake.handle === undefined ? { up } : { up, find }, calls, requests };
}

/** Ray no longer tells the address of a node that is gone. */
export const aNode = (id: string, alive = true): NodeSeen => ({ id, address: alive ? `127.0.0.${id}` : '', alive });
