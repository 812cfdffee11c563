import { counted } from '../../model/counted.js';
import { fail } from '../../model/failure.js';
import type { StepOf } from '../../model/plan.js';
import { memoryOf } from '../step/work.js';
import type { Body, Work } from '../work.js';
import type { Clusters } from './ports.js';
import { clusterNotRemoved } from './errors.js';
import { clusterId, openClusters, removed } from './taken-cluster.js';

/** Ends the clusters of this run that tests did not close: their worker was lost and no other came, or the end failed.
 * Throws CLUSTER_NOT_REMOVED if something is left. */
export const createClearClusters = ({ clusters }: { readonly clusters: Clusters }): Body<'clearClusters'> =>
  async function clearClusters(work) {
    const { cluster } = work.step.params;
    const tests = work.plan.steps.filter((step) => step.kind === 'runOnCluster');
    const left: string[] = [];
    let count = 0;
    for (const test of tests.filter(({ params }) => params.cluster.name === cluster)) {
      const ends = await cleared(work, test, clusters);
      count += ends.length;
      left.push(...ends.filter((why) => why !== null));
    }
    if (left.length > 0) throw fail(clusterNotRemoved(cluster, left));
    return { artifacts: [], note: count === 0 ? 'no cluster was left' : `removed ${counted(count, 'cluster')}` };
  };

/** Ends the open clusters of a test. Returns for each why something is left, null if nothing is. */
async function cleared(
  work: Work,
  test: StepOf<'runOnCluster'>,
  { find }: Clusters,
): Promise<readonly (string | null)[]> {
  const memory = memoryOf(work.run, test.id, work.store);
  const { open } = await openClusters(memory);
  if (find === undefined) return [];
  const { confine, signal, folder } = work;
  const surroundings = { folder, venv: null, env: work.env(), confine, containers: null, signal };
  const ends: (string | null)[] = [];
  for (const { number, handle } of open) {
    const id = clusterId(work.run, test.id, number);
    work.log.note(`${id} was left open`);
    const request = { ...surroundings, spec: test.params.cluster, id, log: (text: string) => work.log.write(text) };
    const why = await removed(memory, await find(request, handle ?? ''), number);
    ends.push(why === null ? null : `${id}: ${why}`);
  }
  return ends;
}
