import { namedFiles } from '../../engine/cache/key-parts.js';
import type { RunId } from '../../model/ids.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import { readRounds } from '../../model/rounds.js';
import type { Store } from '../ports.js';
import { readInputs, resultsOf } from '../step/inputs.js';
import { located } from '../step/located.js';
import type { StepContext, StepLog } from '../step/ports.js';
import { hideSecrets } from '../step/secrets.js';
import { createWork } from '../step/work.js';
import { makeWorkspace, slug, unpackFiles } from '../step/workspace.js';
import type { Body, Made } from '../work.js';

/** A step of a run that is carried out again. */
export interface Again {
  readonly plan: Plan;
  readonly step: StepOf<KindName>;
  readonly run: RunId;
}

interface Means {
  readonly around: StepContext;
  readonly log: StepLog;
  readonly signal: AbortSignal;
}

/** Carries a step out with the inputs, tools and environment of its run, in a folder of its own. */
export async function carryOut(
  body: Body<KindName>,
  { plan, step, run }: Again,
  { around, log, signal }: Means,
): Promise<Made> {
  const inputs = await readInputs(resultsOf(around.store, await readRounds(around.store, run)), plan, step);
  await hideSecrets(around, plan, log);
  await using workspace = await makeWorkspace(around.home, run, `${slug(step.id)}-0.${process.pid}`);
  await unpackFiles(around.store, namedFiles(plan.bundle, step.files), workspace.files);
  const toolchain = await located(inputs.toolchain, around);
  // An interactive shell has no time limit, so `carryOut` sets none.
  const nothing = { known: null, sealed: null, openings: {} };
  const attempt = { ...inputs, ...nothing, toolchain, plan, step, run, attempt: 0, fresh: true };
  return await body(createWork(attempt, around, workspace, log, signal));
}

/** A store that accepts bytes, and keeps new records to itself. */
export function ownRecords(store: Store): Store {
  const own = new Map<string, unknown>();
  return {
    ...store,
    create: async (name, value) => {
      own.set(name, value);
      return { created: true, value };
    },
    read: async <T>(name: string) => (own.has(name) ? (own.get(name) as T) : store.read<T>(name)),
    setAside: async (name) => void own.delete(name),
  };
}
