import { grouped } from '../../../model/grouped.js';
import type { Queue, StepId } from '../../../model/ids.js';
import type { StepOf } from '../../../model/plan.js';
import type { Context } from '../../../plan/context.js';
import { frameItem, idsOf } from '../../../plan/entry.js';
import { plannedStep } from '../../../plan/planned-step.js';
import type { Stage, PlannedStep, PlanEntry } from '../../../plan/stage.js';
import type { Spec } from '../schemas/environment.js';

/** Concrete specs. One proof on each queue compares the recipes of an environment with its lock before anything is built. */
export const specs: Stage = {
  id: 'specs',
  title: 'building specs',
  items: (context) => Object.entries(context.release.specs).map(([name, spec]) => item(name, spec, context)),
  steps: ({ release }, { drafts }) => {
    const builds = drafts.map(({ step }) => step).filter((step) => step.kind === 'buildSpec');
    return [...grouped(builds, ({ params, on }) => proofId(params.environment, on))].map(([id, some]) => {
      const { environment } = some[0]!.params;
      const said = Object.values(release.specs).find((one) => one.environment === environment);
      return proof(id, some, said?.spack);
    });
  },
};

/** `prove/specs/stack.linux-x86_64` of the import `environments/stack`. */
const proofId = (environment: string, queue: Queue): StepId =>
  `prove/specs/${environment.slice('environments/'.length)}.${queue}`;

function item(name: string, spec: Spec, context: Context): PlanEntry {
  const path = ['specs', name];
  const needs = spec.dependencies.map((one) => `specs/${one}`);
  return {
    ...frameItem(`specs/${name}`, { needs, matrix: {}, exclude: [], include: [] }, path, context),
    make: (variant) => {
      const { hash, name: called, version, retryFailed, timeout, retry, ...of } = spec;
      const { environment, file, recipes, settings, network } = of;
      const on = context.queueOf(variant.axes, spec.on, path);
      return plannedStep('buildSpec', {
        ...{ id: variant.id, axes: variant.axes, on, timeout, retry },
        needs: [...idsOf(variant), proofId(environment, on)],
        params: {
          ...{ hash, name: called, version, environment, file, recipes, settings, ...(network && { network }) },
          ...(retryFailed !== undefined && { retryFailedMs: retryFailed }),
        },
        ...{ made: true, tools: ['spack'] },
      });
    },
  };
}

/** @param spack version or commit that the environment asks for */
function proof(id: StepId, builds: readonly StepOf<'buildSpec'>[], spack: string | undefined): PlannedStep {
  const [{ on, params }] = builds as [StepOf<'buildSpec'>];
  const { environment, file, recipes, settings } = params;
  return plannedStep('proveSpecs', {
    ...{ id, on, made: true, tools: ['spack'] },
    params: {
      ...{ environment, file, recipes, settings, specs: builds.map((one) => one.params.hash).sort() },
      ...(spack !== undefined && { spack }),
    },
  });
}
