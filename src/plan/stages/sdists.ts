import { CONTROL } from '../../model/ids.js';
import { Sdist } from '../../model/schema/sections/builds.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import {
  checkBuilder,
  commandOf,
  frameItem,
  framedStep,
  interpreterOf,
  programsOf,
  sourceNeed,
  unique,
} from '../entry.js';
import { refuseIdle } from '../idle-keys.js';
import type { Stage, PlannedStep, PlanEntry, Variant } from '../stage.js';
import { checkTold } from '../snapshot/told.js';
import { sourceIn } from '../sources.js';
import { baseNeeds } from '../where.js';

export const sdists: Stage = {
  id: 'sdists',
  title: 'making source archives',
  items: (context) =>
    Object.entries(context.release.sdists).map(([name, sdist]) =>
      item(name, sdist, context.python().sourced(sdist.source, ['sdists', name])),
    ),
};

const USUAL = Sdist.parse({});

const OF_BUILDS = {
  keys: ['on', 'files', 'network', 'env', 'folder', 'tools', 'packages', 'base', 'builder', 'run', 'outputs'],
  why: (key: string) => `"from: source" takes the sdist as it is, so "${key}" has no effect`,
  next: (key: string) => `Take \`${key}\` away; or take \`from\` away, and the sdist is built.`,
} as const;

function item(name: string, sdist: Sdist, context: Context): PlanEntry {
  const id = `sdists/${name}`;
  const path = ['sdists', name];
  const source = sourceIn(context);
  if (sdist.from === 'source' && source !== undefined && 'git' in source) {
    context.needsThat(
      [...path, 'from'],
      '"from: source" takes an sdist, and the source is a git commit',
      'Take `from` away: the sdist is then built.',
      'value',
    );
  }
  if (sdist.from === 'source') refuseIdle([sdist, USUAL], OF_BUILDS, path, context);
  else checkBuilder(sdist, path, context);
  checkTold(['sdists', name], sdist, context);
  const framed = frameItem(id, sdist, path, context);
  const needs = unique([...framed.needs, sourceNeed(path, context), ...baseNeeds(sdist, id, path, context)]);
  return {
    ...framed,
    needs,
    make: (variant) =>
      sdist.from === 'source' ? take(name, sdist, variant, context) : build(name, sdist, variant, context),
  };
}

const take = (name: string, sdist: Sdist, variant: Variant, context: Context): PlannedStep =>
  plannedStep('takeSdist', {
    ...framedStep(variant, sdist),
    on: CONTROL,
    source: context.ownSource,
    params: { project: sdist.project ?? name, version: context.madeVersion },
  });

function build(name: string, sdist: Sdist, variant: Variant, context: Context): PlannedStep {
  const path = ['sdists', name];
  const { builder } = sdist;
  const command = commandOf(sdist, variant, path, context);
  const interpreter = interpreterOf(variant, context);
  return plannedStep('buildSdist', {
    ...framedStep(variant, sdist),
    on: context.queueOf(variant.axes, sdist.on, path),
    source: context.ownSource,
    params: {
      ...command,
      project: sdist.project ?? name,
      version: context.madeVersion,
      builder,
      ...(interpreter !== null && { interpreter }),
      outputs: sdist.outputs.map((text, index) => context.text(text, variant.axes, [...path, 'outputs', index])),
    },
    files: readFiles(sdist.files, [sdist.run, ...Object.values(sdist.env)], path, context),
    made: true,
    tools: [...programsOf(builder), ...(command.where.in === 'container' ? ['docker'] : []), ...sdist.tools],
  });
}
