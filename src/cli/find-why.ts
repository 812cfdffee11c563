import type { Store } from '../activities/ports.js';
import type { KeyParts } from '../engine/cache/step-key.js';
import { type Earlier, type Making, type RunName, partsIn, provenBy } from '../engine/why/made.js';
import type { WhyFacts } from '../engine/why/why.js';
import type { RunId, StepId } from '../model/ids.js';
import type { JsonObject } from '../model/json.js';
import type { KindName } from '../model/kinds.js';
import type { RunStatus } from '../model/messages.js';
import type { Plan, StepOf } from '../model/plan.js';
import type { Result } from '../model/result.js';
import type { NotLookedUp } from '../model/reuse.js';
import { readRounds } from '../model/rounds.js';
import { records, type Started } from '../model/run-folder.js';
import type { Ports } from './ports.js';
import { storedJson, storedPlan } from './stored-plan.js';

/** Earlier runs that are looked through for a result of the step. */
const LOOKED_THROUGH = 50;

/** Everything that `why` is drawn from: the plan, results and keys that stand in the store, and what the run tells. */
export async function factsOf(step: string, plan: Plan, status: RunStatus, ports: Ports): Promise<WhyFacts> {
  const store = await ports.store();
  const planned = plan.steps.find(({ id }) => id === step) as StepOf<KindName> | undefined;
  const making = planned === undefined ? null : await makingOf(planned, plan, status.run, ports);
  const maker = making?.result?.made.run;
  const queues = await ports.queues();
  return {
    ...{ step, plan, status, making },
    maker: maker === undefined || maker === status.run ? null : await nameOf(store, maker),
    windows: {
      ...Object.fromEntries(Object.entries(queues).map(([queue, { window }]) => [queue, window])),
      ...status.windows,
    },
  };
}

async function makingOf(step: StepOf<KindName>, plan: Plan, run: RunId, ports: Ports): Promise<Making> {
  const store = await ports.store();
  const rounds = await readRounds(store, run);
  const result = await store.read<Result>(rounds.result(step.id));
  const parts = await toldParts(run, plan, step, ports);
  return {
    kind: step.kind,
    ...(step.cache && { cache: step.cache }),
    release: plan.release.name,
    result,
    parts: result === null ? parts : provenBy(parts, result.key, ports.hash),
    fresh: rounds.fresh(step.id),
    notLookedUp: await notLookedUp(store, run, step.id),
    earlier: await earlierOf(step, plan.release.name, run, ports),
  };
}

async function notLookedUp(store: Store, run: RunId, step: StepId): Promise<boolean> {
  const said = await store.read<NotLookedUp>(records.noCache(run));
  return said !== null && (said.steps === 'all' || said.steps.includes(step));
}

/** The latest earlier run of the release that has a result of the step. If none has, and the id of the step ends with a
 * hash (`params.hash`), the latest one with a step of the same kind and `params.name`. */
async function earlierOf(step: StepOf<KindName>, release: string, run: RunId, ports: Ports): Promise<Earlier | null> {
  const before = await runsBefore(await ports.store(), release, run);
  const { name, hash } = step.params as { readonly name?: unknown; readonly hash?: unknown };
  const isNamed = ({ kind, params }: Plan['steps'][number]): boolean =>
    kind === step.kind && (params as { readonly name?: unknown }).name === name;
  const byId = await latest(before, async () => step.id, ports);
  if (byId !== null || hash === undefined) return byId;
  return latest(before, async (earlier) => (await planOf(earlier, ports))?.steps.find(isNamed)?.id, ports);
}

async function latest(
  runs: readonly RunId[],
  stepIn: (run: RunId) => Promise<StepId | undefined>,
  ports: Ports,
): Promise<Earlier | null> {
  const store = await ports.store();
  for (const run of runs) {
    const id = await stepIn(run);
    const result = id === undefined ? null : await store.read<Result>((await readRounds(store, run)).result(id));
    if (id === undefined || result === null) continue;
    return { of: await nameOf(store, run), result, parts: await partsThere(result, run, id, ports) };
  }
  return null;
}

/** Runs of a release that reported before this one, the latest first: their records are named after when they began. */
async function runsBefore(store: Store, release: string, run: RunId): Promise<readonly RunId[]> {
  const folder = records.durations(release);
  const names = (await store.list(folder)).map((name) => name.slice(folder.length));
  const runs = names.map((name) => name.slice(new Date(0).toISOString().length + 1));
  const here = runs.indexOf(run);
  return runs
    .slice(0, here < 0 ? runs.length : here)
    .toReversed()
    .slice(0, LOOKED_THROUGH);
}

async function partsThere(result: Result, run: RunId, id: StepId, ports: Ports): Promise<Earlier['parts']> {
  const plan = await planOf(run, ports);
  const step = plan?.steps.find((one) => one.id === id) as StepOf<KindName> | undefined;
  if (plan === null || step === undefined) return null;
  return provenBy(await toldParts(run, plan, step, ports), result.key, ports.hash);
}

/** Parts of the key of a step, with what features tell of its parameters. */
async function toldParts(run: RunId, plan: Plan, step: StepOf<KindName>, ports: Ports): Promise<KeyParts | null> {
  const parts = await partsIn(await ports.store(), run, plan, step);
  const telling = Object.values(ports.screens).flatMap(({ fields }) => fields ?? []);
  if (parts === null || telling.length === 0) return parts;
  const facts = await storedJson<JsonObject>(plan.imports?.facts, ports);
  const told = await Promise.all(telling.map((tell) => tell(step.params as object as JsonObject, facts ?? {})));
  return { ...parts, told: Object.assign({}, ...told) as JsonObject };
}

const planOf = async (run: RunId, ports: Ports): Promise<Plan | null> =>
  storedPlan((await (await ports.store()).read<Started>(records.started(run)))?.plan, ports);

async function nameOf(store: Store, run: RunId): Promise<RunName> {
  const started = await store.read<Started>(records.started(run));
  return { run, workflowId: started?.workflowId ?? null, at: started?.at ?? null };
}
