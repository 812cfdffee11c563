import { counted } from '../../model/counted.js';
import { type ClusterManager, outlivesWorker } from '../../model/tests/cluster.js';
import type { RunId, StepId } from '../../model/ids.js';
import { slug } from '../step/workspace.js';
import type { Work } from '../work.js';
import type { Cluster, ClusterRequest, Clusters } from './ports.js';
import { say, type Trial } from './trial.js';

type Test = Work<'runOnCluster'>;
type Request = Omit<ClusterRequest, 'id'>;
type Memory = Pick<Work, 'remember' | 'recall'>;

/** A cluster of this attempt. */
export interface TakenCluster extends Pick<Trial, 'cluster' | 'id' | 'begunAt' | 'begin' | 'leaves'> {
  /** Ends the cluster. Never throws. */
  close(): Promise<void>;
}

/** A cluster that this step has not closed, from its memory. */
interface OpenCluster {
  readonly number: number;
  /** Null: its start did not end. */
  readonly handle: string | null;
  readonly begunAt: number | null;
}

/** Makes the cluster of an attempt. Where an earlier worker left one, the test on it goes on, or the cluster is removed first. */
export async function takeCluster(work: Test, clusters: Clusters, request: Request): Promise<TakenCluster> {
  const { spec } = request;
  const { find } = clusters;
  if (find === undefined || !outlivesWorker(spec.manager)) {
    say(work, `cluster ${spec.name}: starting ${counted(spec.nodes, 'node')}`);
    const id = idOf(work, work.attempt);
    const cluster = await clusters.up({ ...request, id });
    const begin = (): Promise<number> => Promise.resolve(Date.now());
    return { cluster, id, begunAt: null, begin, leaves: () => false, close: () => cluster.down() };
  }
  const { next, open } = await openCluster(work);
  if (open !== null) {
    const left = await find({ ...request, id: idOf(work, open.number) }, open.handle ?? '');
    if (canGoOn(spec.manager, open)) return remembered(work, left, open);
    say(work, `cluster ${spec.name}: removing the one that another worker left`);
    await left.down();
    await setClosed(work, open.number);
  }
  await work.remember(`cluster-${next}`, true);
  const cluster = await clusters.up({ ...request, id: idOf(work, next) }).catch(async (error: unknown) => {
    await setClosed(work, next);
    throw error;
  });
  await work.remember(`cluster-up-${next}`, cluster.handle ?? '');
  return remembered(work, cluster, { number: next, handle: cluster.handle, begunAt: null });
}

const idOf = ({ run, step }: Test, number: number): string => clusterId(run, step.id, number);

export const clusterId = (run: RunId, test: StepId, number: number): string => `${run}-${slug(test)}-${number}`;

/** A job has an id, so all that was done can be found again. Lines know only a test that has begun. */
const canGoOn = (manager: ClusterManager, { handle, begunAt }: OpenCluster): boolean =>
  manager.by === 'jobs' ||
  (manager.by === 'command' && manager.lines.attach !== undefined && handle !== null && begunAt !== null);

function remembered(work: Test, cluster: Cluster, { number, begunAt }: OpenCluster): TakenCluster {
  return {
    cluster,
    id: idOf(work, number),
    begunAt,
    begin: () => work.remember(`cluster-begun-${number}`, Date.now()),
    leaves: () => work.leaves(),
    close: async () => {
      await cluster.down();
      await setClosed(work, number);
    },
  };
}

/** Notes that a cluster is down. */
export const setClosed = (memory: Memory, number: number): Promise<boolean> =>
  memory.remember(`cluster-closed-${number}`, true);

/** Returns the number of the next cluster of a step, and the last one if it is open. Each is numbered before it is made. */
export async function openCluster(
  memory: Memory,
): Promise<{ readonly next: number; readonly open: OpenCluster | null }> {
  let next = 1;
  while ((await memory.recall<true>(`cluster-${next}`)) !== null) next += 1;
  const number = next - 1;
  if (number === 0 || (await memory.recall<true>(`cluster-closed-${number}`)) !== null) return { next, open: null };
  const handle = await memory.recall<string>(`cluster-up-${number}`);
  return { next, open: { number, handle, begunAt: await memory.recall<number>(`cluster-begun-${number}`) } };
}
