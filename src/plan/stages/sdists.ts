import { CONTROL } from '../../model/ids.js';
import type { Sdist } from '../../model/schema/sections/builds.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { draft } from '../draft.js';
import { checkBuilder, commandOf, frameItem, idsOf, sourceNeed, unique } from '../entry.js';
import { problems } from '../errors.js';
import type { Draft, Item, Variant } from '../item.js';
import type { Stage } from '../stage.js';
import { baseNeeds } from '../where.js';

export const sdists: Stage = {
  id: 'sdists',
  title: 'making source archives',
  items: (context) => Object.entries(context.release.sdists).map(([name, sdist]) => item(name, sdist, context)),
};

function item(name: string, sdist: Sdist, context: Context): Item {
  const id = `sdists/${name}`;
  const path = ['sdists', name];
  if (sdist.from === 'source' && 'git' in context.release.source) {
    context.complain(
      problems.needsThat(
        context.at([...path, 'from']),
        '"from: source" takes an sdist, and the source is a git commit',
        'Take `from` away: the sdist is then built.',
      ),
    );
  }
  if (sdist.from !== 'source') checkBuilder(sdist, path, context);
  const framed = frameItem(id, sdist, path, context);
  const needs = unique([...framed.needs, sourceNeed(path, context), ...baseNeeds(sdist, id, path, context)]);
  return {
    ...framed,
    needs,
    make: (variant) => (sdist.from === 'source' ? take(name, sdist, variant) : build(name, sdist, variant, context)),
  };
}

const take = (name: string, sdist: Sdist, variant: Variant): Draft =>
  draft('takeSdist', {
    id: variant.id,
    on: CONTROL,
    axes: variant.axes,
    needs: idsOf(variant),
    params: { project: sdist.project ?? name },
  });

function build(name: string, sdist: Sdist, variant: Variant, context: Context): Draft {
  const path = ['sdists', name];
  const { builder } = sdist;
  return draft('buildSdist', {
    id: variant.id,
    on: context.queueOf(variant.axes, sdist.on, path),
    axes: variant.axes,
    needs: idsOf(variant),
    params: {
      ...commandOf(sdist, variant, path, context),
      project: sdist.project ?? name,
      builder,
      outputs: sdist.outputs,
    },
    files: readFiles(sdist.files, [sdist.run], path, context),
    made: true,
    tools: [...(builder === 'command' ? [] : builder === 'uv' ? ['uv'] : ['uv', 'pyproject-build']), ...sdist.tools],
    timeout: sdist.timeout,
    retry: sdist.retry,
  });
}
