import { counted } from '../../model/counted.js';
import { type ClusterManager, outlivesWorker } from '../../model/tests/cluster.js';
import { slug } from '../step/workspace.js';
import type { Work } from '../work.js';
import type { Cluster, ClusterRequest, Clusters } from './ports.js';
import { say, type Trial } from './trial.js';

type Test = Work<'runOnCluster'>;
type Request = Omit<ClusterRequest, 'id'>;

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
    await work.remember(`cluster-closed-${open.number}`, true);
  }
  await work.remember(`cluster-${next}`, true);
  const cluster = await clusters.up({ ...request, id: idOf(work, next) }).catch(async (error: unknown) => {
    await work.remember(`cluster-closed-${next}`, true);
    throw error;
  });
  await work.remember(`cluster-up-${next}`, cluster.handle ?? '');
  return remembered(work, cluster, { number: next, handle: cluster.handle, begunAt: null });
}

const idOf = ({ run, step }: Test, number: number): string => `${run}-${slug(step.id)}-${number}`;

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
      await work.remember(`cluster-closed-${number}`, true);
    },
  };
}

/** Returns the number of the next cluster of this step, and the last one if it is open. Each is numbered before it is made. */
async function openCluster(work: Test): Promise<{ readonly next: number; readonly open: OpenCluster | null }> {
  let next = 1;
  while ((await work.recall<true>(`cluster-${next}`)) !== null) next += 1;
  const number = next - 1;
  if (number === 0 || (await work.recall<true>(`cluster-closed-${number}`)) !== null) return { next, open: null };
  const handle = await work.recall<string>(`cluster-up-${number}`);
  return { next, open: { number, handle, begunAt: await work.recall<number>(`cluster-begun-${number}`) } };
}
