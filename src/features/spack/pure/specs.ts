import { grouped } from '../../../model/grouped.js';
import type { Queue, StepId } from '../../../model/ids.js';
import type { StepOf } from '../../../model/plan.js';
import type { Context } from '../../../plan/context.js';
import { frameItem, idsOf, unique } from '../../../plan/entry.js';
import { plannedStep } from '../../../plan/planned-step.js';
import type { Stage, PlannedStep, PlanEntry } from '../../../plan/stage.js';
import { baseNeeds, whereOf } from '../../../plan/where.js';
import type { Spec } from '../schemas/environment.js';

/** Concrete specs. One proof on each queue compares the recipes of an environment with its lock before anything is built. */
export const specs: Stage = {
  id: 'specs',
  title: 'building specs',
  items: (context) => Object.entries(context.release.specs).map(([name, spec]) => item(name, spec, context)),
  steps: ({ release }, { drafts }) => {
    const builds = drafts.map(({ step }) => step).filter((step) => step.kind === 'buildSpec');
    return [...grouped(builds, ({ params, on }) => proofId(params, on))].map(([id, some]) => {
      const { environment } = some[0]!.params;
      const said = Object.values(release.specs).find((one) => one.environment === environment);
      return proof(id, some, said?.spack);
    });
  },
};

/** `prove/specs/stack.linux-x86_64` of the import `environments/stack`. The lock of a list of `bootstrap` has a proof of its own. */
function proofId({ environment, lock }: Pick<Spec, 'environment' | 'lock'>, queue: Queue): StepId {
  const list = lock === undefined ? [] : [lock.split('/').at(-2)!];
  return `prove/specs/${[environment.slice('environments/'.length), ...list, queue].join('.')}`;
}

function item(name: string, spec: Spec, context: Context): PlanEntry {
  const path = ['specs', name];
  const { dependencies, on: said, base, timeout, retry, retryFailed, network, ...others } = spec;
  const { unserved: _, onFailure: _on, spack: _spack, ...facts } = others;
  const needs = dependencies.map((one) => `specs/${one}`);
  const framed = frameItem(`specs/${name}`, { needs, matrix: {}, exclude: [], include: [] }, path, context);
  const housed = { packages: [], base, on: said };
  return {
    ...framed,
    needs: unique([...framed.needs, ...baseNeeds(housed, `specs/${name}`, path, context)]),
    make: (variant) => {
      const on = context.queueOf(variant.axes, said, path);
      return plannedStep('buildSpec', {
        ...{ id: variant.id, axes: variant.axes, on, timeout, retry },
        needs: [...idsOf(variant), proofId(spec, on)],
        params: {
          ...{ ...facts, where: whereOf(housed, variant), ...(network && { network }) },
          ...(retryFailed !== undefined && { retryFailedMs: retryFailed }),
        },
        ...{ made: true, tools: base === undefined ? ['spack'] : ['spack', 'docker'] },
      });
    },
  };
}

/** @param spack version or commit that the environment asks for */
function proof(id: StepId, builds: readonly StepOf<'buildSpec'>[], spack: string | undefined): PlannedStep {
  const [{ on, params }] = builds as [StepOf<'buildSpec'>];
  const { environment, file, recipes, settings, included, lock } = params;
  const more = { ...(included !== undefined && { included }), ...(lock !== undefined && { lock }) };
  return plannedStep('proveSpecs', {
    ...{ id, on, made: true, tools: ['spack'] },
    params: {
      ...{ environment, file, recipes, settings, ...more, specs: builds.map((one) => one.params.hash).sort() },
      ...(spack !== undefined && { spack }),
    },
  });
}
