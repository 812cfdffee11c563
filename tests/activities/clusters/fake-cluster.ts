import type { Cluster, ClusterLine, Clusters, NodeSeen } from '../../../src/activities/clusters/ports.js';

/** Behaviour of a cluster without machines. */
export interface FakeCluster {
  readonly nodes?: () => readonly NodeSeen[];
  /** Answers of scripts by the end of their path: an exit status, null for a cluster that went away. */
  readonly answers?: Readonly<
    Record<string, (line: ClusterLine, folder: string) => Promise<number | null> | number | null>
  >;
  readonly get?: () => Promise<void>;
  readonly up?: () => never;
}

/** Clusters whose scripts are functions. `calls` has what was asked of it, in order. */
export function fakeClusters(fake: FakeCluster): { readonly clusters: Clusters; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const up: Clusters['up'] = async ({ folder }) => {
    calls.push('up');
    fake.up?.();
    const cluster: Cluster = {
      at: folder,
      shared: true,
      nodes: () => Promise.resolve(fake.nodes?.() ?? [aNode('1')]),
      put: async () => void calls.push('put'),
      get: async () => {
        calls.push('get');
        await fake.get?.();
      },
      run: async (line) => {
        const name = line.script.split('/').at(-1)!.replace('.sh', '');
        calls.push(`${name} by ${line.by}`);
        return (await fake.answers?.[name]?.(line, folder)) ?? (name in (fake.answers ?? {}) ? null : 0);
      },
      down: async () => void calls.push('down'),
    };
    return cluster;
  };
  return { clusters: { up }, calls };
}

export const aNode = (id: string, alive = true): NodeSeen => ({ id, address: `127.0.0.${id}`, alive });
