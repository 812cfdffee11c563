import { CONTROL, type Axes, type Queue, type StepId } from '../../model/ids.js';
import { grouped } from '../../model/grouped.js';
import type { Step } from '../../model/plan.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { lineOf } from '../entry.js';
import type { Path } from '../errors.js';
import { matches } from '../matrix.js';
import { abilitiesFor, ociOf } from '../oci.js';
import type { Made, Stage, PlannedStep } from '../stage.js';
import { TARGETS } from '../../model/target-kinds.js';
import {
  dotted,
  isBuilt,
  productsOf,
  publishId,
  publishItems,
  targetOf,
  type Product,
  type PublishItem,
} from '../targets.js';

export const verify: Stage = {
  id: 'verify',
  title: 'verifying',
  steps: (context, made) => groups(context, made).map((group) => make(group, context)),
};

/** The files of one verification: all of a target for one Python, or one image, or one JAR. */
interface Group {
  readonly id: StepId;
  readonly axes: Axes;
  readonly project: string;
  readonly version: string;
  readonly publishItems: readonly PublishItem[];
}

/** Ids of the verifications of each target. */
export function verifyIds(context: Context, made: Made): ReadonlyMap<string, readonly StepId[]> {
  const byTarget = grouped(groups(context, made), ({ publishItems: items }) => items[0]!.target);
  return new Map([...byTarget].map(([target, all]) => [target, all.map(({ id }) => id)]));
}

function groups(context: Context, made: Made): readonly Group[] {
  const all = publishItems(context, made);
  return Object.keys(context.release.publish)
    .sort()
    .flatMap((target) => {
      const mine = all.filter((one) => one.target === target);
      if (context.release.publish[target]!.kind === 'simple') return ofIndex(target, mine, context);
      return productsOf(mine, context).flatMap((product) => ofProduct(target, product));
    });
}

/** One group for each platform of an index, and for each Python where a platform has several. */
function ofIndex(target: string, mine: readonly PublishItem[], context: Context): readonly Group[] {
  const { name: project, version, platforms, pythons } = context;
  const rows = mine.map((one) => {
    const { platform = platforms[0]!, python = pythons[0]! } = one.artifact.axes;
    return { one, axes: { platform, python } };
  });
  const groups = [...grouped(rows, ({ axes }) => `${axes.python}.${axes.platform}`).values()];
  return groups.map((own) => {
    const { axes } = own[0];
    const alone = groups.filter(([other]) => other.axes.platform === axes.platform).length === 1;
    const id = `verify/${target}/${alone ? '' : `${axes.python}.`}${axes.platform}`;
    return { id, axes, project, version, publishItems: own.map(({ one }) => one) };
  });
}

function ofProduct(target: string, { label, project, version, items: own }: Product): readonly Group[] {
  const installed = own.some((one) => one.artifact.kind === 'buildWheel')
    ? own.filter((one) => one.artifact.kind === 'buildWheel')
    : own;
  const rows = new Map(
    installed.map(({ artifact }) => [dotted(Object.values(named(artifact.axes)).join('/')), artifact.axes]),
  );
  const platforms = new Set([...rows.values()].map((axes) => axes['platform']));
  return [...rows.values()].map((axes) => {
    const { platform, ...others } = named(axes);
    const parts = [
      ...(label === null ? [] : [label]),
      ...Object.values(others),
      ...(platforms.size > 1 && platform ? [platform] : []),
    ];
    const fitting = own.filter(({ artifact }) => fits(artifact, axes));
    return { id: `verify/${target}/${parts.join('.') || 'all'}`, axes, project, version, publishItems: fitting };
  });
}

/** Returns whether an artifact is installed with these axes. Images are pulled one by one. */
const fits = (artifact: Step, axes: Axes): boolean =>
  matches(artifact.axes, axes) && (!isImage(artifact) || matches(axes, artifact.axes));

const isImage = ({ stage }: Step): boolean => stage === 'images';

/** Sorts axes for ids: python, others, platform. */
function named({ python, platform, ...others }: Axes): Record<string, string> {
  const rest = Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...(python && { python }), ...rest, ...(platform && { platform }) };
}

/** Returns the queue of a verification. An image runs on its builder's platform. A target that nothing installs from
 * needs its credential, so control asks it. Other files go to machines of their platform. */
function queueOf({ axes, publishItems: [first] }: Group, path: Path, context: Context): Queue {
  if (first && !TARGETS[first.entry.kind].installs) return CONTROL;
  return first?.artifact.kind === 'buildImage' ? first.artifact.on : context.queueOf(axes, undefined, path);
}

/** Bases of the containers in which the wheels were built. A wheel links libraries of its base. A cross build has the
 * base of another machine. */
const basesOf = ({ publishItems: items }: Group): readonly StepId[] => [
  ...new Set(
    items.flatMap(({ artifact: { kind, params } }) =>
      kind === 'buildWheel' && params.cross === null && params.where.in === 'container' ? [params.where.base] : [],
    ),
  ),
];

function make(group: Group, context: Context): PlannedStep {
  const { target, entry } = group.publishItems[0]!;
  const artifacts = group.publishItems.flatMap(({ artifact, signatures }) => [
    artifact.id,
    ...(signatures === null ? [] : [signatures]),
  ]);
  const path = ['publish', target];
  const on = queueOf(group, path, context);
  const isPython = ['python', 'simple'].includes(entry.kind);
  // An image's line runs inside it, without folders of the worker.
  const late = entry.kind === 'oci' ? [] : (['files'] as const);
  const waitsFor = [...group.publishItems.map(publishId), ...artifacts];
  const bases = entry.kind === 'simple' ? basesOf(group) : [];
  return plannedStep('verifyTarget', {
    id: group.id,
    on,
    axes: group.axes,
    // A wheel that failed is not listed. The others are verified all the same.
    needs: isBuilt(entry) ? [] : waitsFor,
    wants: [...(isBuilt(entry) ? waitsFor : []), ...bases],
    params: {
      target: targetOf(target, entry, context),
      project: group.project,
      version: group.version,
      of: artifacts,
      ...(entry.verify === undefined
        ? { run: null }
        : lineOf(entry.verify, group.axes, [...path, 'verify'], isPython ? context.python() : context, late)),
      python: isPython ? (group.axes['python'] ?? context.pythons[0] ?? null) : null,
      ...(bases.length > 0 && { bases }),
      ...(entry.network && { network: true }),
      ...(isBuilt(entry) && { when: 'built' as const }),
    },
    files: readFiles(undefined, [entry.verify, entry.observe], path, context),
    made: true,
    can: entry.kind === 'oci' ? abilitiesFor(ociOf(group.axes['platform'], context), on, context) : [],
    tools: [...TARGETS[entry.kind].verifies, ...(bases.length > 0 ? ['docker'] : [])],
    timeout: entry.timeout,
    retry: entry.retry,
  });
}
