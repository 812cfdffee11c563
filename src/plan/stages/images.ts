import { makesOf } from '../../model/id-prefixes.js';
import type { Image } from '../../model/schema/sections/images.js';
import { bundlePath, readFiles, restOfBundle } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { envOf, frameItem, framedStep, sourceNeed, unique } from '../entry.js';
import type { Path } from '../errors.js';
import { plainRef } from '../refs.js';
import type { Stage, PlannedStep, PlanEntry, Need, Variant } from '../stage.js';
import { childTags, fixed } from '../image-tags.js';
import { indexDrafts } from '../indexes.js';
import { abilitiesFor, ociOf, ociPlatforms } from '../oci.js';
import { baseItems, baseOf } from './bases.js';
import { promoted } from './promoted.js';

export const images: Stage = {
  id: 'images',
  title: 'building images',
  items: (context) => [
    ...baseItems(context),
    ...Object.entries(context.release.images).map(([name, image]) =>
      image.from ? promoted(name, image, image.from, context) : item(name, image, context),
    ),
  ],
  steps: indexDrafts,
};

function item(name: string, image: Image, context: Context): PlanEntry {
  const path = ['images', name];
  const framed = frameItem(`images/${name}`, image, path, context);
  const under = baseOf(image);
  const base: readonly Need[] = under === null ? [] : [{ ref: plainRef(under), path: [...path, 'base'] }];
  return {
    ...framed,
    needs: unique([...framed.needs, ...base, ...sourceFor(image, framed.needs, path, context)]),
    own: { platform: ociPlatforms(context) },
    make: (variant) => make(name, image, variant, path, context),
  };
}

/** Adds the source to an image that needs no built artifact: its labels have the commit and its time. */
const sourceFor = (image: Image, needs: readonly Need[], path: Path, context: Context): readonly Need[] =>
  image.context !== 'source' && needs.some(({ ref }) => ['inputs', 'files', 'images'].includes(makesOf(ref.id)))
    ? []
    : [sourceNeed(path, context)];

function make(name: string, image: Image, variant: Variant, path: Path, context: Context): PlannedStep {
  const { axes } = variant;
  const oci = platformOf(axes, path, context);
  const on = context.queueOf(axes, image.on, path);
  const named = context.text(image.dockerfile, axes, [...path, 'dockerfile']);
  const inSource = image.context === 'source';
  const dockerfile = inSource ? named : bundlePath(named, [...path, 'dockerfile'], context);
  return plannedStep('buildImage', {
    ...framedStep(variant, image),
    on,
    params: {
      project: name,
      version: context.version,
      platform: axes['platform'] ?? context.platforms[0]!,
      oci,
      base: variant.needs.find(({ item: { id } }) => id === baseOf(image))?.id ?? null,
      dockerfile,
      ...(inSource && { context: 'source' as const }),
      args: envOf(image.args, axes, path, context),
      labels: filledLabels(image, axes, path, context),
      tags: fixed(childTags(name, image, axes, context)),
      ...(image.network && { network: true }),
    },
    files: filesOf(image, inSource ? [] : [dockerfile], path, context),
    made: true,
    can: abilitiesFor(oci, on, context),
    tools: ['docker'],
  });
}

/** Files of the bundle that it reads. With the source tree as context, none. */
function filesOf(image: Image, first: readonly string[], path: Path, context: Context): readonly string[] {
  if (image.files) return [...first, ...readFiles(image.files, [], path, context)];
  return image.context === 'source' ? [] : [...first, ...restOfBundle(context)];
}

/** Returns the OCI platform of the image. A platform without containers is a problem. */
function platformOf(axes: Variant['axes'], path: Path, context: Context): string | null {
  const platform = axes['platform'] ?? context.platforms[0]!;
  const oci = ociOf(platform, context);
  if (oci === null && platform in context.facts.platforms) {
    const why = `there are no containers of ${platform}: it has no "oci" in config/platforms.yaml`;
    context.needsThat(path, why, 'Exclude that platform.');
  }
  return oci;
}

const filledLabels = (image: Image, axes: Variant['axes'], path: Path, context: Context): Record<string, string> =>
  Object.fromEntries(
    Object.entries(image.labels).map(([key, text]) => [key, context.text(text, axes, [...path, 'labels', key])]),
  );
