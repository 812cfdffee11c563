import { CONTROL } from '../../model/ids.js';
import type { Point } from '../../model/schema/sections/images.js';
import type { Context } from '../context.js';
import { draft } from '../draft.js';
import { problems } from '../errors.js';
import type { Draft } from '../item.js';
import { parseRef } from '../refs.js';
import type { Made, Stage } from '../stage.js';
import { didYouMean } from '../suggest.js';
import { publishId, shipments, targetOf, type Shipment } from '../targets.js';

/** Pointers move last: when everything that was published is also verified. */
export const point: Stage = {
  id: 'point',
  title: 'moving pointers',
  steps: (context, made) => {
    const all = shipments(context, made);
    return context.release.point.flatMap((pointer, index) => make(pointer, index, all, context, made));
  },
};

function make(pointer: Point, index: number, all: readonly Shipment[], context: Context, made: Made): readonly Draft[] {
  const path = ['point', index];
  const entry = context.release.publish[pointer.target];
  if (!entry) {
    context.complain(
      problems.unknownNeed(
        context.at([...path, 'target']),
        pointer.target,
        didYouMean(pointer.target, Object.keys(context.release.publish)),
      ),
    );
    return [];
  }
  if (entry.kind !== 'oci') {
    context.complain(
      problems.needsThat(
        context.at([...path, 'target']),
        `a ${entry.kind} target has no pointers`,
        'Name a target of kind oci.',
      ),
    );
    return [];
  }
  const to = named(pointer, all);
  if (to.length !== 1) {
    context.complain(problems.pointTo(context.at([...path, 'to']), pointer.to, to.length));
    return [];
  }
  const name = context.text(pointer.name, to[0]!.artifact.axes, [...path, 'name']);
  const settled = made.drafts
    .filter(({ step }) => step.stage === 'publish' || step.stage === 'verify')
    .map(({ step }) => step.id);
  return [
    draft('movePointer', {
      id: `point/${pointer.target}/${name}`,
      on: CONTROL,
      needs: [to[0]!.artifact.id, publishId(to[0]!)],
      wants: settled,
      params: {
        target: targetOf(pointer.target, entry, context),
        name,
        version: context.version,
        to: to[0]!.artifact.id,
        when: pointer.when,
      },
    }),
  ];
}

/** What a pointer's `to` names among what its target gets: the index, where the images have one and no platform is picked. */
function named(pointer: Point, all: readonly Shipment[]): readonly Shipment[] {
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
