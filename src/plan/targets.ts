import type { Target } from '../model/target.js';
import type { ProfileTarget } from '../model/schema/profile.js';
import { KINDS } from '../model/kinds.js';
import { entryOf, type StepId } from '../model/ids.js';
import { compileExpression, starExpression } from '../model/schema/expression.js';
import type { Step, StepOf } from '../model/plan.js';
import type { Publish } from '../model/schema/sections/publish.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import type { Made, PlannedStep, Variant } from './stage.js';
import { refs } from './entry.js';
import { judgeTargetAddress } from './addresses.js';
import { signaturesId } from './stages/signatures.js';
import { extraOf } from './target-extra.js';
import { problems as taken } from './taken/errors.js';
import { TARGETS } from '../model/target-kinds.js';

export interface PublishItem {
  readonly target: string;
  readonly entry: Publish;
  readonly artifact: Step;
  readonly signatures: StepId | null;
}

export const undoOf = (name: string, entry: Publish, context: Context): string =>
  entry.undo ?? profileTarget(name, entry, context)?.undo ?? TARGETS[entry.kind].undo;

function profileTarget(name: string, entry: Publish, context: Context): ProfileTarget | null {
  if (hasOwnRow(name, entry, context)) return context.profile.targets[name]!;
  return context.profile.kinds[entry.kind] ?? null;
}

const hasOwnRow = (name: string, { kind }: Publish, { profile }: Context): boolean =>
  profile.targets[name]?.kind === kind;

/** Returns the profile's target for a name of `publish:`. */
export function targetOf(name: string, entry: Publish, context: Context, path: Path = ['publish', name]): Target {
  const found = profileTarget(name, entry, context);
  if (!found)
    context.complain(problems.noTarget(context.at(path, 'key'), name, entry.kind, context.facts.profile.name));
  if (entry.kind === 'oci' && entry.repository === undefined)
    context.complain(problems.missingKey(context.at(['publish', name]), 'repository'));
  const extra = extraOf(name, entry, found ?? {}, context);
  const target: Target = {
    name,
    kind: entry.kind,
    address: found?.address ?? '',
    repository: entry.repository ?? null,
    username: found?.username ?? null,
    password: found?.password ?? null,
    ...(extra !== null && { extra }),
    ...limitsOf(found ?? {}),
  };
  if (found)
    judgeTargetAddress(target, hasOwnRow(name, entry, context) ? ['targets', name] : ['kinds', entry.kind], context);
  return target;
}

const limitsOf = ({ maxFileMiB, maxTotalMiB }: Partial<ProfileTarget>): Pick<Target, 'limits'> =>
  maxFileMiB === undefined && maxTotalMiB === undefined
    ? {}
    : { limits: { ...(maxFileMiB && { fileMiB: maxFileMiB }), ...(maxTotalMiB && { totalMiB: maxTotalMiB }) } };

/** Returns all items to publish, in the order of the file's names. An artifact that a target cannot take is a problem. */
export function publishItems(context: Context, made: Made): readonly PublishItem[] {
  const drafts = new Map(made.drafts.map((one) => [one.step.id, one]));
  return Object.keys(context.release.publish)
    .sort()
    .flatMap((target) => {
      const entry = context.release.publish[target]!;
      const needs = refs(filesOf(target, entry, context), ['publish', target, 'files'], context);
      const variants = needs.flatMap((need, index) =>
        matching(need.ref.id, need.ref.pick, made, context, ['publish', target, 'files', index], need.ref.text).filter(
          ({ id }) => !need.ref.id.includes('*') || drafts.get(id)?.step.kind !== 'buildNative',
        ),
      );
      const kept = [...new Set(variants)].flatMap((variant) => drafts.get(variant.id) ?? []);
      return withIndexes(kept, made).flatMap((one) => publishItem(target, entry, one, drafts, context));
    });
}

/** A git tag publishes the source. Other targets name their files. */
function filesOf(target: string, { kind, files }: Publish, context: Context): readonly string[] {
  if (kind === 'git-tag' && files === undefined) return ['source'];
  if (kind === 'git-tag') refuse(target, 'a git-tag names the commit, no files', 'Take `files` away.', context);
  else if (files === undefined) context.complain(problems.missingKey(context.at(['publish', target]), 'files'));
  return files ?? [];
}

/** Adds the index of each published image. An image without a tag of its own goes out with its index. */
function withIndexes(kept: readonly PlannedStep[], { drafts }: Made): readonly PlannedStep[] {
  const ids = new Set(kept.map(({ step }) => step.id));
  const indexes = drafts.filter(
    ({ step }) => step.kind === 'assembleIndex' && step.params.children.some((child) => ids.has(child.step)),
  );
  const within = new Set(indexes.flatMap(({ step }) => childrenOf(step)));
  const alone = kept.filter(({ step }) => !within.has(step.id) || tagsOf(step).length > 0);
  return [...alone, ...indexes];
}

const childrenOf = (step: Step): readonly StepId[] =>
  step.kind === 'assembleIndex' ? step.params.children.map((child) => child.step) : [];

/** Tags that a step's image is published under. Empty for other artifacts. */
export const tagsOf = ({ params }: Step): readonly string[] => ('tags' in params ? params.tags : []);

/** Whether an entry publishes each artifact as soon as it is built, before the seal. */
export const isBuilt = ({ when }: Publish): boolean => when === 'built';

/** Returns the names under which a target shows an artifact: tags of an image, platforms whose index lists a wheel. */
export function shownUnder({ entry, artifact }: PublishItem, context: Context): readonly string[] {
  if (entry.kind !== 'simple' || artifact.kind !== 'buildWheel') return tagsOf(artifact);
  return artifact.params.everywhere ? context.platforms : [artifact.params.for.name];
}

function publishItem(
  target: string,
  entry: Publish,
  { step }: PlannedStep,
  drafts: ReadonlyMap<StepId, PlannedStep>,
  context: Context,
): readonly PublishItem[] {
  if (step.kind === 'buildNative' && step.params.coordinates === null) complainOfNative(target, step, context);
  if (TARGETS[entry.kind].takes.includes(KINDS[step.kind].ships)) {
    const signatures = step.kind === 'buildJar' ? signaturesId(step.id) : null;
    const signed = signatures !== null && drafts.has(signatures);
    return [{ target, entry, artifact: step, signatures: signed ? signatures : null }];
  }
  if (KINDS[step.kind].origin === 'taken') {
    context.complain(taken.notOurs(context.at(['publish', target, 'files']), entryOf(step.id)));
    return [];
  }
  const { sections } = TARGETS[entry.kind];
  refuse(target, `a ${entry.kind} target does not take ${step.id}`, `It takes ${sections}.`, context);
  return [];
}

const refuse = (target: string, why: string, next: string, context: Context): void =>
  context.needsThat(['publish', target, 'files'], why, next, 'value');

/** A JAR of libraries is published by itself only under its own coordinates. */
const complainOfNative = (target: string, { id, params }: StepOf<'buildNative'>, context: Context): void =>
  refuse(
    target,
    `${id} is a part of a JAR, and has no coordinates of its own`,
    `Publish what gathers it, or write \`artifact: group:name\` under jars.${params.project}.`,
    context,
  );

function matching(
  id: string,
  pick: Readonly<Record<string, string>>,
  made: Made,
  context: Context,
  path: readonly (string | number)[],
  text: string,
): readonly Variant[] {
  const items = idsNamed(id, made.variants);
  const mayBeNone = id.includes('*') && context.isImportedTo(id.split('/')[0]!);
  if (items.length === 0 && !mayBeNone)
    context.complain(problems.unknownNeed(context.at(path), text, made.variants.keys(), id));
  const variants = items.flatMap((item) => made.variants.get(item) ?? []);
  const left = variants.find(({ item }) => item.assumed !== undefined)?.item;
  if (left !== undefined)
    context.complain(
      problems.assumedKeeps(context.at(path), path.slice(0, 2).join('/'), left.id, left.assumed!, context.facts.given),
    );
  const fitting = variants.filter((variant) =>
    Object.entries(pick).every(([axis, value]) => variant.axes[axis] === value),
  );
  if (variants.length > 0 && fitting.length === 0)
    context.complain(problems.noMatch(context.at(path), text, 'no variant has these values'));
  return fitting;
}

/** Ids that an id means, whose `*` is any part of a name. */
export function idsNamed(id: string, known: ReadonlyMap<string, unknown>): readonly string[] {
  if (!id.includes('*')) return known.has(id) ? [id] : [];
  const pattern = compileExpression(starExpression(id, '[^/]+'), { whole: true });
  return [...known.keys()].filter((one) => pattern.test(one));
}

/** Makes one part of an id: `wheels/skiff/cp312` becomes `wheels.skiff.cp312`. */
export const dotted = (id: StepId): string => id.replaceAll('/', '.');

export const publishId = ({ target, artifact }: PublishItem): StepId => `publish/${target}/${dotted(artifact.id)}`;

/** Name of an artifact's project at its target. */
export function projectOf(step: Step): string {
  return 'project' in step.params ? step.params.project : step.id.split('/')[1]!;
}

/** Version of a step's products: that of its source, else that of the release. */
export const versionOf = ({ params }: Step, context: Pick<Context, 'version'>): string =>
  ('version' in params ? params.version : null) ?? context.version;

/** The items of one project and version at a target. */
export interface Product {
  /** Tells it apart in the ids of steps. Null for the only one of its target. */
  readonly label: string | null;
  readonly project: string;
  readonly version: string;
  readonly items: readonly PublishItem[];
}

/** Groups a target's items by project and version. A static index is one product: its folder is proved, not names. */
export function productsOf(items: readonly PublishItem[], context: Context): readonly Product[] {
  if (items[0]?.entry.kind === 'simple')
    return [{ project: context.name, version: context.version, items, label: null }];
  const groups = new Map<string, Omit<Product, 'label'>>();
  for (const item of items) {
    const [project, version] = [projectOf(item.artifact), versionOf(item.artifact, context)];
    const group = groups.get(`${project} ${version}`);
    groups.set(`${project} ${version}`, { project, version, items: [...(group?.items ?? []), item] });
  }
  const all = [...groups.values()];
  return all.map((one) => ({ ...one, label: labelOf(one, all) }));
}

function labelOf({ project, version }: Omit<Product, 'label'>, all: readonly Omit<Product, 'label'>[]): string | null {
  if (all.length === 1) return null;
  const several = all.filter((other) => other.project === project).length > 1;
  return several ? `${project}-${version.replace(/[^A-Za-z0-9._-]/g, '_')}` : project;
}

/** Order of publishing, the most reversible first. For a Python index wheels before the sdist; for commands those with
 * an undo first. */
export function rankOf({ entry, artifact }: PublishItem): number {
  const { rank } = TARGETS[entry.kind];
  if (entry.kind === 'python') return KINDS[artifact.kind].ships === 'wheel' ? rank : rank + 1;
  if (entry.kind === 'command' && entry.undo === undefined) return LAST_OF_FILES;
  return rank;
}
/** Rank of a target without a known undo: after the sdists, before Central. */
const LAST_OF_FILES = 5.5;
