import type { Effect, ImageIndex, Step, StepOf } from '../model/plan.js';
import type { Context } from './context.js';
import { indexTags } from './image-tags.js';
import { idOf } from './matrix.js';
import { undoOf } from './targets.js';

type ImageStep = StepOf<'buildImage'>;

const isImage = (step: Step): step is ImageStep => step.kind === 'buildImage';

/** One index for images that differ in their platform alone, where their entry asks for it. */
export function indexesOf(steps: readonly Step[], context: Context): readonly ImageIndex[] {
  const groups = new Map<string, ImageStep[]>();
  for (const step of steps.filter(isImage)) {
    const name = step.id.split('/')[1]!;
    if (context.release.images[name]?.index === undefined) continue;
    const { platform: _, ...others } = step.axes;
    const id = idOf(`indexes/${name}`, others);
    groups.set(id, [...(groups.get(id) ?? []), step]);
  }
  return [...groups].map(([id, images]) => indexOf(id, images, context));
}

function indexOf(id: string, images: readonly ImageStep[], context: Context): ImageIndex {
  const name = id.split('/')[1]!;
  const { platform: _, ...axes } = images[0]!.axes;
  return {
    id,
    axes,
    of: images.map((step) => step.id),
    platforms: images.map((step) => context.facts.platforms[step.params.platform]?.oci ?? step.params.platform),
    tags: indexTags(name, context.release.images[name]!, images[0]!.axes, context),
  };
}

/** What changes outside, indexes put where their last image is published. */
export function withIndexes(
  effects: readonly Effect[],
  indexes: readonly ImageIndex[],
  steps: readonly Step[],
  context: Context,
): readonly Effect[] {
  if (indexes.length === 0) return effects;
  const published = steps.flatMap((step) => (step.kind === 'publishArtifacts' ? [step] : []));
  const added = indexes.flatMap(({ of, tags }): readonly Effect[] => {
    const mine = published.filter(({ params }) => params.of.some((id) => of.includes(id)));
    const targets = new Map(mine.map((step) => [step.params.target.name, step]));
    return [...targets.values()].flatMap(({ id, params: { target } }) => {
      const undo = undoOf(target.name, context.release.publish[target.name]!, context);
      const effect = { step: id, target: target.name, kind: target.kind, what: 'publish', undo } as const;
      return tags.map((tag): Effect => ({ ...effect, name: `${target.repository}:${tag}` }));
    });
  });
  const at = effects.findLastIndex(({ kind, what }) => kind === 'oci' && what === 'publish') + 1;
  return [...effects.slice(0, at), ...added, ...effects.slice(at)];
}
