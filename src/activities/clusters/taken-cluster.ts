import { counted } from '../../model/counted.js';
import { type ClusterManager, outlivesWorker } from '../../model/tests/cluster.js';
import { SlipwayFailure } from '../../model/failure.js';
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
  /** True: its attempt ended and could not remove it. */
  readonly isLeft: boolean;
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
    return { cluster, id, begunAt: null, begin, leaves: () => false, close: async () => void (await cluster.down()) };
  }
  const { next, open } = await openClusters(work);
  for (const one of open) {
    const found = await find({ ...request, id: idOf(work, one.number) }, one.handle ?? '');
    if (canGoOn(spec.manager, one)) return remembered(work, found, one);
    say(work, `cluster ${spec.name}: removing the one that an earlier attempt left`);
    await closed(work, found, one.number);
  }
  await work.remember(`cluster-${next}`, true);
  const cluster = await clusters.up({ ...request, id: idOf(work, next) }).catch(async (error: unknown) => {
    await (leftBy(error) ? setLeft(work, next) : setClosed(work, next));
    throw error;
  });
  await work.remember(`cluster-up-${next}`, cluster.handle ?? '');
  return remembered(work, cluster, { number: next, handle: cluster.handle, begunAt: null, isLeft: false });
}

const idOf = ({ run, step }: Test, number: number): string => clusterId(run, step.id, number);

export const clusterId = (run: RunId, test: StepId, number: number): string => `${run}-${slug(test)}-${number}`;

/** A job has an id, so all that was done can be found again; the handle is its folder. Lines know only a test that has begun. */
const canGoOn = (manager: ClusterManager, { handle, begunAt, isLeft }: OpenCluster): boolean =>
  !isLeft &&
  handle !== null &&
  (manager.by === 'jobs'
    ? handle !== ''
    : manager.by === 'command' && manager.lines.attach !== undefined && begunAt !== null);

/** True for a start that failed and left something of the cluster. */
const leftBy = (error: unknown): boolean =>
  error instanceof SlipwayFailure && error.first.details?.['left'] !== undefined;

function remembered(work: Test, cluster: Cluster, { number, begunAt }: OpenCluster): TakenCluster {
  return {
    cluster,
    id: idOf(work, number),
    begunAt,
    begin: () => work.remember(`cluster-begun-${number}`, Date.now()),
    leaves: () => work.leaves(),
    close: () => closed(work, cluster, number),
  };
}

/** Ends a cluster. What cannot be removed now is noted, and the step that runs after all tests tries again. */
async function closed(work: Test, cluster: Cluster, number: number): Promise<void> {
  const why = await removed(work, cluster, number);
  if (why === null) return;
  work.log.note(`${idOf(work, number)} is not removed: ${why}; the step that removes clusters tries again`);
  await setLeft(work, number);
}

/** Ends a cluster, and notes that it is down. Returns why something may be left. Null if nothing is. */
export async function removed(memory: Memory, cluster: Cluster, number: number): Promise<string | null> {
  const why = await cluster.down();
  if (why === null) await setClosed(memory, number);
  return why;
}

const setClosed = (memory: Memory, number: number): Promise<boolean> =>
  memory.remember(`cluster-closed-${number}`, true);

const setLeft = (memory: Memory, number: number): Promise<boolean> => memory.remember(`cluster-left-${number}`, true);

/** Returns the number of the next cluster of a step, and the clusters that are open. Each is numbered before it is made. */
export async function openClusters(
  memory: Memory,
): Promise<{ readonly next: number; readonly open: readonly OpenCluster[] }> {
  const open: OpenCluster[] = [];
  let number = 1;
  for (; (await memory.recall<true>(`cluster-${number}`)) !== null; number += 1) {
    if ((await memory.recall<true>(`cluster-closed-${number}`)) !== null) continue;
    const handle = await memory.recall<string>(`cluster-up-${number}`);
    const begunAt = await memory.recall<number>(`cluster-begun-${number}`);
    open.push({ number, handle, begunAt, isLeft: (await memory.recall<true>(`cluster-left-${number}`)) !== null });
  }
  return { next: number, open };
}
