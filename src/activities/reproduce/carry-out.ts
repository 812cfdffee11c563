import { namedFiles } from '../../model/named-files.js';
import type { RunId, StepId } from '../../model/ids.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import { readRounds } from '../../model/rounds.js';
import type { Store } from '../ports.js';
import { readInputs, resultsOf, findStep, located } from '../step/inputs.js';
import type { StepContext, StepLog } from '../step/ports.js';
import { hideSecrets } from '../step/secrets.js';
import { createWork } from '../step/work.js';
import { makeWorkspace, slug, unpackFiles } from '../step/workspace.js';
import { layTools } from '../tools/lay-tools.js';
import type { Body, Made } from '../work.js';
import type { LostWheel } from '../../model/remade.js';
import type { Result } from '../../model/result.js';

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
  await layTools(around.store, plan, step, workspace.folder);
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

/** The build of a listed wheel. */
export interface BuiltWheel {
  readonly step: StepOf<'buildWheel'>;
  readonly result: Result;
  /** Step that the wheel's statement names. It may have taken the wheel of `step`. */
  readonly listed: StepId;
}

/** Finds the step that built a listed wheel. Returns why there is none. */
export async function originBuild(
  store: Store,
  plan: Plan,
  { run, step: publish, plan: digest, entry }: LostWheel,
): Promise<BuiltWheel | string> {
  const resultOf = resultsOf(store, await readRounds(store, run));
  const gave = async (id: StepId): Promise<Result | null> => {
    const result = await resultOf(id);
    return result?.artifacts.some((artifact) => artifact.digest === entry.digest) === true ? result : null;
  };
  for (const listed of findStep<'publishArtifacts'>(plan, digest, publish).params.of) {
    let result = await gave(listed);
    if (result === null) continue;
    let step = findStep<KindName>(plan, digest, listed);
    while (isBuild(step) && step.params.sameAs !== undefined) {
      const theirs = await gave(step.params.sameAs);
      if (theirs === null) break;
      [result, step] = [theirs, findStep<KindName>(plan, digest, step.params.sameAs)];
    }
    return isBuild(step) ? { step, result, listed } : `${step.id} (${step.kind}) took it and did not build it`;
  }
  return `the store has no result of its build in run ${run}`;
}

const isBuild = (step: StepOf<KindName>): step is StepOf<'buildWheel'> => step.kind === 'buildWheel';
