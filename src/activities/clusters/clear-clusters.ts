import { counted } from '../../model/counted.js';
import type { StepOf } from '../../model/plan.js';
import { memoryOf } from '../step/work.js';
import type { Body, Work } from '../work.js';
import type { Clusters } from './ports.js';
import { clusterId, openCluster, setClosed } from './taken-cluster.js';

/** Ends the clusters that tests of this run did not close, because their worker was lost and no other came. */
export const createClearClusters = ({ clusters }: { readonly clusters: Clusters }): Body<'clearClusters'> =>
  async function clearClusters(work) {
    const tests = work.plan.steps.filter((step) => step.kind === 'runOnCluster');
    let count = 0;
    for (const test of tests.filter(({ params }) => params.cluster.name === work.step.params.cluster))
      if (await cleared(work, test, clusters)) count += 1;
    return { artifacts: [], note: count === 0 ? 'no cluster was left' : `removed ${counted(count, 'cluster')}` };
  };

async function cleared(work: Work, test: StepOf<'runOnCluster'>, { find }: Clusters): Promise<boolean> {
  const memory = memoryOf(work.run, test.id, work.store);
  const { open } = await openCluster(memory);
  if (open === null || find === undefined) return false;
  const id = clusterId(work.run, test.id, open.number);
  work.log.note(`${id} was left open`);
  const { confine, signal, folder } = work;
  const surroundings = { folder, venv: null, env: work.env(), confine, containers: null, signal };
  const request = { ...surroundings, spec: test.params.cluster, id, log: (text: string) => work.log.write(text) };
  await (await find(request, open.handle ?? '')).down();
  await setClosed(memory, open.number);
  return true;
}
