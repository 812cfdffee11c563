import { Context } from '@temporalio/activity';
import { createWritePages } from '../activities/index/write-pages.js';
import { assertAddressListed } from '../activities/policy/listed-address.js';
import { connect } from '../activities/publish/connect.js';
import { problemsOf } from '../activities/step/failures.js';
import { heartbeat } from '../activities/step/heartbeat.js';
import { asApplicationFailure } from '../activities/step/perform.js';
import { createPlans } from '../activities/step/plans.js';
import type { StepContext } from '../activities/step/ports.js';
import { reveal } from '../activities/step/secrets.js';
import { resolveAddress } from '../activities/step/work.js';
import { WHEELS_FOLDER } from '../adapters/home.js';
import { createHosts } from '../adapters/policy/hosts.js';
import { createWorkerPolicy } from '../adapters/policy/index.js';
import { createTargets } from '../adapters/targets.js';
import { join } from 'node:path';
import type { WritePages } from '../model/index-writer.js';
import type { Plan, StepOf } from '../model/plan.js';

/** No log exists in which a secret could be shown. */
const NO_LOG = { hide: () => undefined };

/** The activity of index writers. Only workers of `control` have it, since it may need credentials of a bucket. */
export function indexActivities(around: StepContext): { readonly writePages: WritePages } {
  const planOf = createPlans(around.store, around.signatures);
  const targets = createTargets({}, join(around.home, WHEELS_FOLDER));
  const ports = { policy: createWorkerPolicy(around.env, around.home), hosts: createHosts() };
  const opened = async (plan: Plan, step: StepOf<'publishArtifacts'>) => {
    const { target } = step.params;
    const address = (text: string): string => resolveAddress(text, around);
    const asked = { ...target, planned: target.address, address: address(target.address) };
    await assertAddressListed(ports, plan, asked);
    const { cancellationSignal } = Context.current();
    const secret = (reference: string, as: 'secret' | 'name' = 'secret') =>
      reveal(around, NO_LOG, cancellationSignal, reference, as);
    return connect({ plan, step, address, secret }, target);
  };
  const writePages = createWritePages({ planOf, connect: opened, targets });
  return {
    writePages: async (input) => {
      const heartbeats = heartbeat(Context.current());
      try {
        return await writePages(input);
      } catch (error) {
        throw asApplicationFailure(problemsOf(error, null, around.home));
      } finally {
        heartbeats.stop();
      }
    },
  };
}
