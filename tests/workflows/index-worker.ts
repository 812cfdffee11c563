import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createWritePages } from '../../src/activities/index/write-pages.js';
import { createTargets } from '../../src/adapters/targets.js';
import { fail } from '../../src/model/failure.js';
import type { WritePages } from '../../src/model/index-writer.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { NO_ORDERS } from '../activities/index/an-index.js';
import { aTarget } from '../activities/publish/release.js';
import { aProblem } from '../engine/a-skeleton.js';
import { aStep } from '../support/run-body.js';
import { makeWorker } from '../temporal-env.js';

/** Draws really, in the folder that the plan names: a plan's digest is its folder here. */
export const draw: WritePages = createWritePages({
  planOf: async (folder) => {
    if (!folder.startsWith('/')) throw fail({ ...aProblem(), code: 'PLAN_NOT_SIGNED' });
    const target = aTarget({ name: 'cache', kind: 'simple', address: folder });
    const step = aStep('publishArtifacts', { target, of: [], tags: [] }, { id: 'publish/cache' });
    return { steps: [step as unknown as Step] } as unknown as Plan;
  },
  connect: async (_, { params: { target } }) => ({
    ...{ ...target, extra: { kind: 'simple', reads: null, endpoint: null } },
    ...{ staging: null, secrets: {}, version: '1' },
  }),
  targets: createTargets(),
  ...NO_ORDERS,
});

/** Serves index writers while `body` runs. */
export async function indexWorker<T>(
  env: TestWorkflowEnvironment,
  bundle: { code: string },
  body: () => Promise<T>,
  writePages: WritePages = draw,
): Promise<T> {
  const workflows = await makeWorker(env, bundle, {});
  const pages = await makeWorker(env, bundle, { writePages }, { taskQueue: 'slipway-fleet', shutdownGraceTime: 0 });
  return workflows.runUntil(() => pages.runUntil(body));
}
