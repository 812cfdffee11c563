import { CONTROL } from '../../model/ids.js';
import type { PointerWhen } from '../../model/params.js';
import type { Point } from '../../model/schema/sections/images.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { problems } from '../errors.js';
import { childTags, indexTags, moving } from '../image-tags.js';
import { parseRef } from '../refs.js';
import type { Made, Stage, PlannedStep } from '../stage.js';
import { publishId, publishItems, targetOf, type PublishItem } from '../targets.js';

/** Moves pointers after everything published is verified. */
export const point: Stage = {
  id: 'point',
  title: 'moving pointers',
  steps: (context, made) => {
    const all = publishItems(context, made);
    const written = context.release.point.flatMap((pointer, index) => make(pointer, index, all, context, made));
    return [...written, ...all.flatMap((one) => followers(one, context, made))];
  },
};

function make(
  pointer: Point,
  index: number,
  all: readonly PublishItem[],
  context: Context,
  made: Made,
): readonly PlannedStep[] {
  const path = ['point', index];
  const entry = context.release.publish[pointer.target];
  if (!entry) {
    context.complain(
      problems.unknownNeed(context.at([...path, 'target']), pointer.target, Object.keys(context.release.publish)),
    );
    return [];
  }
  if (entry.kind !== 'oci') {
    context.needsThat(
      [...path, 'target'],
      `a ${entry.kind} target has no pointers`,
      'Name a target of kind oci.',
      'value',
    );
    return [];
  }
  const to = named(pointer, all);
  if (to.length !== 1) {
    context.complain(problems.pointTo(context.at([...path, 'to']), pointer.to, to.length));
    return [];
  }
  if (pointer.when === 'newest commit' && context.commit === null) {
    const why = 'an sdist has no commit that another one could be newer than';
    context.needsThat([...path, 'when'], why, 'Write `newest stable`.', 'value');
  }
  const name = context.text(pointer.name, to[0]!.artifact.axes, [...path, 'name']);
  return [move(to[0]!, name, pointer.when, context, made)];
}

/** Plans the moving tags of an image's tag rules, such as nightly. */
function followers(publishItem: PublishItem, context: Context, made: Made): readonly PlannedStep[] {
  const { artifact } = publishItem;
  const name = artifact.id.split('/')[1]!;
  const image = context.release.images[name];
  if (artifact.stage !== 'images' || image === undefined) return [];
  const tags = artifact.kind === 'assembleIndex' ? indexTags : childTags;
  return moving(tags(name, image, artifact.axes, context)).map((tag) =>
    move(publishItem, tag, 'newest commit', context, made),
  );
}

function move(to: PublishItem, name: string, when: PointerWhen, context: Context, made: Made): PlannedStep {
  const settled = made.drafts
    .filter(({ step }) => step.stage === 'publish' || step.stage === 'verify')
    .map(({ step }) => step.id);
  return plannedStep('movePointer', {
    id: `point/${to.target}/${name}`,
    on: CONTROL,
    needs: [to.artifact.id, publishId(to)],
    wants: settled,
    params: {
      target: targetOf(to.target, to.entry, context),
      name,
      version: context.version,
      to: to.artifact.id,
      when,
    },
  });
}

/** Returns the items that `to` of a pointer names: the index, if the images have one and no platform is picked. */
function named(pointer: Point, all: readonly PublishItem[]): readonly PublishItem[] {
  const ref = parseRef(pointer.to);
  if (!ref) return [];
  const fitting = all.filter(({ target, artifact }) => {
    const fits = Object.entries(ref.pick).every(([axis, value]) => artifact.axes[axis] === value);
    const id = artifact.id.replace(/^indexes\//, 'images/');
    return target === pointer.target && fits && (id === ref.id || id.startsWith(`${ref.id}/`));
  });
  const indexes = fitting.filter(({ artifact }) => artifact.kind === 'assembleIndex');
  return indexes.length > 0 ? indexes : fitting;
}
