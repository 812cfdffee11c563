import { grouped } from '../model/grouped.js';
import { CONTROL } from '../model/ids.js';
import type { Params } from '../model/params.js';
import type { Context } from './context.js';
import { plannedStep } from './planned-step.js';
import { fixed, indexTags } from './image-tags.js';
import { idOf } from './matrix.js';
import { ociOf } from './oci.js';
import type { Made, PlannedStep, Variant } from './stage.js';

type Child = Params['assembleIndex']['children'][number];

/** Plans one index over images that differ only in their platform, for entries with `index`. */
export function indexDrafts(context: Context, made: Made): readonly PlannedStep[] {
  return Object.entries(context.release.images)
    .filter(([, image]) => image.index !== undefined)
    .flatMap(([name]) => {
      const variants = made.variants.get(`images/${name}`) ?? [];
      const groups = grouped(variants, ({ axes }) => indexId(name, axes));
      return [...groups].flatMap(([id, all]) => assemble(id, name, all, context));
    });
}

/** Id of an index: the image's axes without the platform, `indexes/skiff/cp312`. */
function indexId(name: string, { platform: _, ...others }: Variant['axes']): string {
  return idOf(`indexes/${name}`, others);
}

function assemble(id: string, name: string, variants: readonly Variant[], context: Context): readonly PlannedStep[] {
  const image = context.release.images[name]!;
  const { platform: _, ...axes } = variants[0]!.axes;
  const kept = variants.filter(({ because, item }) => because === null && item.assumed === undefined);
  if (kept.length === 0) return [];
  const children = kept.map((variant): Child => ({ step: variant.id, platform: platformOf(variant, context) }));
  complainOfTwins(name, children, context);
  return [
    plannedStep('assembleIndex', {
      id,
      on: CONTROL,
      axes,
      // `wants`: an image that is dropped with a reason does not drop the index.
      wants: children.map(({ step }) => step),
      params: {
        project: name,
        version: context.version,
        children: [...children].sort((a, b) => (a.platform < b.platform ? -1 : 1)),
        dropped: variants.flatMap((variant) =>
          variant.because === null ? [] : [{ platform: platformOf(variant, context), because: variant.because }],
        ),
        tags: fixed(indexTags(name, image, variants[0]!.axes, context)),
      },
      retry: image.retry,
    }),
  ];
}

const platformOf = ({ axes }: Variant, context: Context): string =>
  ociOf(axes['platform'], context) ?? axes['platform'] ?? '';

function complainOfTwins(name: string, children: readonly Child[], context: Context): void {
  for (const { platform, step } of children) {
    const twin = children.find((other) => other.platform === platform && other.step !== step);
    if (!twin) continue;
    const path = ['images', name, 'index'];
    const why = `${[step, twin.step].sort().join(' and ')} are both ${platform}, and an index holds one image for each platform`;
    context.needsThat(path, why, 'Exclude one of them.', 'value');
  }
}
