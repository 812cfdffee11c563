import { Context } from '@temporalio/activity';
import { createOpenGate } from '../activities/gates/open-gate.js';
import { createVerifyApprovals } from '../activities/gates/vet-actions.js';
import { tell } from '../activities/notify/tell.js';
import { createKeepBlame } from '../activities/standings/chain.js';
import { createPlanBisect } from '../activities/plan/plan-bisect.js';
import { createMakePlan } from '../activities/plan/make-plan.js';
import { isKilled, outageOf, patiently } from '../activities/plan/patiently.js';
import { noteNoCache } from '../activities/plan/note-no-cache.js';
import { toJudgedHooks, assertMessageListed } from '../activities/policy/judged-addresses.js';
import type { WorkerLister } from '../activities/fleet/ports.js';
import { watchFleet } from '../activities/fleet/watch-fleet.js';
import type { Fleet } from '../activities/plan/ports.js';
import { createKeepAudit, createKeepStatus, type EndedRuns } from '../activities/report/keep-status.js';
import { createLoadCheckpoint, createSaveCheckpoint } from '../activities/report/checkpoints.js';
import { assertRun, startNoter } from '../activities/step/asked.js';
import { heartbeat, type Pulse } from '../activities/step/heartbeat.js';
import { lookUpCached } from '../activities/cache/look-up-cached.js';
import { problemsOf } from '../activities/step/failures.js';
import { asApplicationFailure, createPerform, type Perform } from '../activities/step/perform.js';
import { createPlans } from '../activities/step/inputs.js';
import type { StepContext } from '../activities/step/ports.js';
import { resolveAddress } from '../activities/step/work.js';
import type { Body } from '../activities/work.js';
import { createSignatures } from '../adapters/ssh/signatures.js';
import { createWebhook } from '../adapters/webhook/webhook.js';
import { createHosts, createWorkerPolicy } from '../adapters/policy/index.js';
import { classOf } from '../engine/run/next-after-failure.js';
import type { KeepBlame, PlanBisect } from '../model/bisect.js';
import type { LoadCheckpoint, SaveCheckpoint } from '../model/checkpoint.js';
import { SlipwayFailure } from '../model/failure.js';
import type { OpenGate, VerifyApprovals } from '../model/gate.js';
import type { RunId } from '../model/ids.js';
import type { KindName } from '../model/kinds.js';
import type { KeepStatus, MakePlan, StepActivity, WatchFleet } from '../model/messages.js';
import type { Notify } from '../model/notice.js';
import type { Reuse } from '../model/reuse.js';
import type { KeepAudit } from '../model/actions.js';
import { records, type StartedFrom } from '../model/run-folder.js';
import { createBodies, type WorkerAdapters } from './bodies.js';
import type { NodeList } from './feature.js';
import { openPlanner } from './open-planner.js';

export type StepActivities = Readonly<Record<KindName, StepActivity>>;

export function stepActivities(around: StepContext, adapters: WorkerAdapters, features: NodeList): StepActivities {
  const perform: Perform = createPerform(around);
  const bodies = Object.entries(createBodies(around, adapters, features)) as [KindName, Body<KindName>][];
  return Object.fromEntries(bodies.map(([kind, body]) => [kind, perform(body)])) as StepActivities;
}

/** Activities of the run itself, before and after its steps. Only workers of the control queue have them. */
export interface RunActivities {
  readonly makePlan: MakePlan;
  readonly planBisect: PlanBisect;
  readonly keepBlame: KeepBlame;
  readonly keepStatus: KeepStatus;
  readonly keepAudit: KeepAudit;
  readonly saveCheckpoint: SaveCheckpoint;
  readonly loadCheckpoint: LoadCheckpoint;
  readonly openGate: OpenGate;
  readonly verifyApprovals: VerifyApprovals;
  readonly notify: Notify;
  readonly lookUpCache: Reuse;
}

/** @param ended what follows the end of a run */
export function runActivities(around: StepContext, fleet: Fleet, ended: readonly EndedRuns[] = []): RunActivities {
  const { store, signatures } = around;
  const alive = beating(around);
  const planner = openPlanner({ ...around, warm: true, stopped: () => Context.current().cancellationSignal });
  const makePlan = createMakePlan(planner, fleet);
  const keepAudit = createKeepAudit(store);
  const planOf = createPlans(store, signatures);
  const gates = { store, planOf, resolve: (address: string) => resolveAddress(address, around) };
  const webhook = createWebhook();
  const policy = createWorkerPolicy(around.env, around.home);
  const noteStart = startNoter(around);
  const keepStatus = createKeepStatus(store, around.layout, planOf, ended);
  return {
    makePlan: alive(async (input, pulse) => {
      const skeleton = await planned(() => makePlan(input), pulse, around.home);
      if (input.file !== undefined) await store.create<StartedFrom>(records.file(input.run), { file: input.file });
      await noteNoCache(store, input.run, skeleton);
      return skeleton;
    }),
    planBisect: alive((input, pulse) =>
      planned(() => createPlanBisect(planner, store, around.now)(input), pulse, around.home),
    ),
    keepBlame: alive((blame) => keeping(createKeepBlame(store, around.now)(blame))),
    keepStatus: alive((status) => keeping(keepStatus(status))),
    keepAudit: alive((actions) => keeping(keepAudit(actions))),
    saveCheckpoint: alive((input) => keeping(createSaveCheckpoint(store)(input))),
    loadCheckpoint: alive((input) => keeping(createLoadCheckpoint(store)(input))),
    openGate: alive((input) => coded(createOpenGate(gates)(input))),
    lookUpCache: alive(async (input) => {
      await noteStart(input, input.workflowId);
      const { cancellationSignal: signal } = Context.current();
      return coded(planOf(input.plan).then((plan) => lookUpCached(plan, input, around, signal)));
    }),
    verifyApprovals: alive((input) =>
      coded(createVerifyApprovals({ ...gates, signatures: createSignatures() })(input)),
    ),
    notify: alive((telling) => {
      const { info, cancellationSignal: signal } = Context.current();
      const moment = { attempt: info.attempt, signal };
      const sent = planOf(telling.plan).then(async (plan) => {
        await assertMessageListed(policy, plan, telling.to);
        const judged = toJudgedHooks({ policy, hosts: createHosts() }, plan, webhook);
        await tell(telling, plan, around, judged, moment);
      });
      return keeping(sent);
    }),
  };

  /** Fails without a retry: the run handles the problem. */
  async function coded<T>(asked: Promise<T>): Promise<T> {
    return asked.catch((error: unknown) => {
      throw asApplicationFailure(problemsOf(error, null, around.home));
    });
  }

  /** Lets Temporal retry infra problems. */
  async function keeping<T>(kept: Promise<T>): Promise<T> {
    return kept.catch((error: unknown) => {
      const problems = problemsOf(error, null, around.home);
      throw asApplicationFailure(problems, { again: classOf(problems) === 'infra' });
    });
  }
}

/** Waits out an outage. Temporal retries an attempt that a longer one ended. */
function planned<T>(plan: () => Promise<T>, { waits }: Pulse, home: string): Promise<T> {
  const context = Context.current();
  return patiently(plan, { waits, pause: (ms) => context.sleep(ms) }).catch((error: unknown) => {
    const again = outageOf(error) !== null || isKilled(error);
    throw again ? asApplicationFailure(problemsOf(error, null, home), { again }) : error;
  });
}

/** Wraps an activity of a run with a heartbeat each second, which includes what the worker waits for. */
const beating =
  ({ waitsFor }: StepContext) =>
  <In extends { readonly run: RunId }, Out>(
    act: (input: In, pulse: Pulse) => Promise<Out>,
  ): ((input: In) => Promise<Out>) =>
  async (input) => {
    using heartbeats = heartbeat(Context.current(), waitsFor);
    try {
      assertRun(input);
      return await act(input, heartbeats);
    } catch (error) {
      throw error instanceof SlipwayFailure ? asApplicationFailure(error.problems) : error;
    }
  };

/** Activities that monitor queues for runs. They use a queue of their own, so that steps never wait for them. */
export const watchActivities = (lister: WorkerLister): { readonly watchFleet: WatchFleet } => ({
  watchFleet: async (input) => {
    const context = Context.current();
    using _heartbeats = heartbeat(context);
    const moment = { signal: context.cancellationSignal, now: Date.now, pause: (ms: number) => context.sleep(ms) };
    return await watchFleet(lister, input, moment);
  },
});
