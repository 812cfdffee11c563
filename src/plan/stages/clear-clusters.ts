import { outlivesWorker } from '../../model/tests/cluster.js';
import { plannedStep } from '../planned-step.js';
import type { Stage, PlannedStep } from '../stage.js';

/** Removes what tests left of clusters that go on without their worker: a step for each cluster, after all of its tests. */
export const clearClusters: Stage = {
  id: 'steps',
  title: 'removing clusters',
  steps: (_, { drafts }) => {
    const tests = drafts.flatMap(({ step }) =>
      step.kind === 'runOnCluster' && outlivesWorker(step.params.cluster.manager) ? [step] : [],
    );
    return [...new Set(tests.map(({ params }) => params.cluster.name))].map((cluster): PlannedStep => {
      const own = tests.filter(({ params }) => params.cluster.name === cluster);
      const after = own.map(({ id }) => id);
      return plannedStep('clearClusters', { id: `clusters/${cluster}`, on: own[0]!.on, after, params: { cluster } });
    });
  },
};
