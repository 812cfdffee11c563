import { CONTROL } from '../../model/ids.js';
import type { Target } from '../../model/target.js';
import { Image } from '../../model/schema/sections/images.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { idsOf, sourceNeed } from '../entry.js';
import { problems, type Path } from '../errors.js';
import { refuseIdle } from '../idle-keys.js';
import { childTags, fixed } from '../image-tags.js';
import { BARE, type PlannedStep, type PlanEntry, type Variant } from '../stage.js';
import { targetOf } from '../targets.js';

type From = NonNullable<Image['from']>;

/** Plans an image that was published before and gets other tags. No step builds it. */
export function promoted(name: string, image: Image, from: From, context: Context): PlanEntry {
  const path = ['images', name];
  refuseIdle([image, USUAL], OF_BUILDS, path, context);
  return {
    ...BARE,
    id: `images/${name}`,
    path,
    needs: [sourceNeed(path, context)],
    make: (variant) => make(name, image, from, variant, context),
  };
}

const USUAL = Image.parse({});

const OF_BUILDS = {
  keys: [
    ...(['needs', 'matrix', 'exclude', 'include', 'platforms', 'pythons', 'index'] as const),
    ...(['on', 'files', 'base', 'dockerfile', 'context', 'args', 'network', 'labels'] as const),
  ],
  why: (key: string) =>
    `"from" takes what was published, all its platforms with it; "${key}" is for images that are built`,
  next: () => 'Take one of them away.',
};

/** Returns the target that holds the image. Complains of a target that is no container registry, and returns a placeholder for it. */
function source(from: From, path: Path, context: Context): Target {
  const entry = context.release.publish[from.target];
  if (entry?.kind === 'oci') return targetOf(from.target, entry, context);
  const names = Object.entries(context.release.publish).flatMap(([name, { kind }]) => (kind === 'oci' ? [name] : []));
  context.complain(problems.noImageTarget(context.at([...path, 'target']), from.target, names));
  return { name: from.target, kind: 'oci', address: '', repository: null, username: null, password: null };
}

function make(name: string, image: Image, from: From, variant: Variant, context: Context): PlannedStep {
  const path = ['images', name, 'from'];
  return plannedStep('promoteImage', {
    id: variant.id,
    on: CONTROL,
    needs: idsOf(variant),
    params: {
      project: name,
      version: context.version,
      from: source(from, path, context),
      tag: context.text(from.tag, {}, [...path, 'tag']),
      digest: from.digest ?? null,
      tags: fixed(childTags(name, image, variant.axes, context)),
    },
    timeout: image.timeout,
    retry: image.retry,
  });
}
