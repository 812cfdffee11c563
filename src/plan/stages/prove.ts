import { CONTROL, type Queue } from '../../model/ids.js';
import type { LockOptions } from '../../model/params.js';
import { ABILITIES } from '../../model/worker.js';
import { carriesCode } from '../carries-code.js';
import type { Context } from '../context.js';
import { plannedStep, proveQueueId, pythonsOf } from '../planned-step.js';
import type { Made, Stage, PlannedStep } from '../stage.js';
import { productsOf, publishItems, tagsOf, targetOf } from '../targets.js';
import { isSealed } from './seal.js';

/** Proofs of queues, keys and targets. They run first and measure the tools that keys of steps pin. They are planned
 * last, because they collect what the other steps need. */
export const prove: Stage = {
  id: 'prove',
  title: 'proving',
  steps: (context, made) => {
    const queues = [...new Set([CONTROL, ...made.drafts.map(({ step }) => step.on)])].sort();
    return [
      ...queues.map((queue) => proveQueue(queue, context, made)),
      ...proveTargets(context, made),
      ...proveAttestKey(context),
    ];
  },
};

function proveQueue(queue: Queue, context: Context, made: Made): PlannedStep {
  const mine = made.drafts.filter(({ step }) => step.on === queue);
  const pythons = mine.flatMap(({ step }) => pythonsOf(step.params));
  return plannedStep('proveQueue', {
    id: proveQueueId(queue),
    on: queue,
    params: {
      queue,
      tools: [...new Set(mine.flatMap((one) => one.tools))].sort(),
      pythons: [...new Set(pythons)].sort(),
      can: ABILITIES.filter((ability) =>
        ability === 'sandbox' ? boxed(mine, context) : mine.some((one) => one.can.includes(ability)),
      ),
      diskMiB: context.facts.queues[queue]?.diskMiB ?? 0,
      ...lockOptions(mine),
    },
  });
}

/** Whether the queue needs a sandbox: it runs programs of the project, and the file does not say `isolation: none`. */
const boxed = (mine: readonly PlannedStep[], { release }: Context): boolean =>
  release.isolation !== 'none' && mine.some(({ step }) => carriesCode(step));

/** Lists each set of options once, with its entries. */
function lockOptions(mine: readonly PlannedStep[]): { readonly options?: readonly LockOptions[] } {
  const sets = new Map<string, { tool: LockOptions['tool']; options: readonly string[]; of: Set<string> }>();
  for (const one of mine) {
    if (one.options === undefined) continue;
    const { of: name, tool, options } = one.options;
    const key = JSON.stringify([tool, options]);
    const set = sets.get(key) ?? { tool, options, of: new Set() };
    set.of.add(name);
    sets.set(key, set);
  }
  if (sets.size === 0) return {};
  return {
    options: [...sets.values()].map(({ tool, options, of }) => ({ tool, options, of: [...of].sort() })),
  };
}

/** Proves the attestation key. Without it a release would fail only after its builds. */
const proveAttestKey = (context: Context): readonly PlannedStep[] => {
  const { attest } = context.facts.profile.content;
  if (attest === undefined || !isSealed(context)) return [];
  return [plannedStep('proveAttestKey', { id: 'prove/attest/key', on: CONTROL, params: attest })];
};

/** Plans one proof for each project and version at a target. */
function proveTargets(context: Context, made: Made): readonly PlannedStep[] {
  const all = publishItems(context, made);
  return Object.keys(context.release.publish)
    .sort()
    .flatMap((name) => {
      const entry = context.release.publish[name]!;
      const mine = all.filter((one) => one.target === name);
      return productsOf(mine, context).map(({ label, project, version, items }) =>
        plannedStep('proveTarget', {
          id: `prove/target/${label === null ? name : `${name}.${label}`}`,
          on: CONTROL,
          params: {
            target: targetOf(name, entry, context),
            ...{ project, version },
            tags: items.flatMap(({ artifact }) => tagsOf(artifact)),
          },
        }),
      );
    });
}
