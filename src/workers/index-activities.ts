import { Context } from '@temporalio/activity';
import { readOrder } from '../activities/index/read-order.js';
import { createWritePages } from '../activities/index/write-pages.js';
import { assertAddressListed } from '../activities/policy/judged-addresses.js';
import { assertPrunable } from '../activities/policy/prunable.js';
import { connect } from '../activities/publish/connect.js';
import type { Connection } from '../activities/publish/ports.js';
import { problemsOf } from '../activities/step/failures.js';
import { heartbeat } from '../activities/step/heartbeat.js';
import { asApplicationFailure } from '../activities/step/perform.js';
import { createPlans } from '../activities/step/inputs.js';
import type { StepContext } from '../activities/step/ports.js';
import { reveal } from '../activities/step/secrets.js';
import { resolveAddress } from '../activities/step/work.js';
import { WHEELS_FOLDER } from '../adapters/home.js';
import { createHosts, createWorkerPolicy } from '../adapters/policy/index.js';
import { createTargets } from '../adapters/targets.js';
import { temporaryFolder } from '../adapters/temporary-folder.js';
import { join } from 'node:path';
import { CONTROL } from '../model/ids.js';
import type { PruneOrder } from '../model/index-prune.js';
import type { WritePages } from '../model/index-writer.js';
import type { Plan } from '../model/plan.js';
import type { Target } from '../model/target.js';

/** No log exists in which a secret could be shown. */
const NO_LOG = { hide: () => undefined };

/** The activity of index writers. Only workers of `control` have it, since it may need credentials of a bucket. */
export function indexActivities(around: StepContext): { readonly writePages: WritePages } {
  const planOf = createPlans(around.store, around.signatures);
  const targets = createTargets({}, join(around.home, WHEELS_FOLDER));
  const ports = { policy: createWorkerPolicy(around.env, around.home), hosts: createHosts() };
  const listed = async (plan: Plan, target: Target): Promise<Connection> => {
    const asked = { ...target, planned: target.address, address: resolveAddress(target.address, around) };
    await assertAddressListed(ports, plan, asked);
    return connected(around, target, plan);
  };
  const ordered = async (order: PruneOrder): Promise<Connection> => {
    await assertPrunable(ports, order, resolveAddress(order.target.address, around));
    return connected(around, order.target, order);
  };
  const writePages = createWritePages({
    planOf,
    connect: (plan, { params }) => listed(plan, params.target),
    targets,
    orders: { read: (record) => readOrder(around.store, record, around.now()), connect: ordered },
    now: around.now,
    copies: { store: around.store, withFolder },
  });
  return {
    writePages: async (input) => {
      using _heartbeats = heartbeat(Context.current());
      try {
        return await writePages(input);
      } catch (error) {
        throw asApplicationFailure(problemsOf(error, null, around.home));
      }
    },
  };
}

/** Resolves address and secrets of an index on this worker. */
function connected(around: StepContext, target: Target, plan: Pick<Plan, 'release'>): Promise<Connection> {
  const asker = { log: NO_LOG, signal: Context.current().cancellationSignal, on: CONTROL };
  const secret = (reference: string, as: 'secret' | 'name' = 'secret') => reveal(around, asker, reference, as);
  return connect({ plan, step: { params: {} }, address: (text) => resolveAddress(text, around), secret }, target);
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  await using folder = await temporaryFolder('restore');
  return await use(folder.path);
}
