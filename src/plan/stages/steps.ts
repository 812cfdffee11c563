import type { Command } from '../../model/schema/sections/builds.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { commandsOf } from '../entries.js';
import { plannedStep } from '../planned-step.js';
import { commandOf, frameItem, framedStep, sourceNeed, unique } from '../entry.js';
import type { Stage, PlannedStep, PlanEntry, Variant } from '../stage.js';
import { baseNeeds } from '../where.js';

export const steps: Stage = {
  id: 'steps',
  title: 'running commands',
  items: (context) =>
    commandsOf(context.release)
      .filter(([, command]) => command.after.length === 0)
      .map(([name, command]) => item(name, command, context.sourced(command.source, ['steps', name]))),
};

function item(name: string, command: Command, context: Context): PlanEntry {
  const id = `steps/${name}`;
  const path = ['steps', name];
  if (command.inputs !== undefined && command.needs.every((need) => need === 'source'))
    context.needsThat(
      [...path, 'inputs'],
      'no need of it may be left out',
      'Name an entry in `needs`, or take `inputs` away.',
    );
  const framed = frameItem(id, command, path, context);
  const needs = unique([...framed.needs, sourceNeed(path, context), ...baseNeeds(command, id, path, context)]);
  return { ...framed, needs, make: (variant) => make(name, command, variant, context) };
}

function make(name: string, command: Command, variant: Variant, context: Context): PlannedStep {
  const path = ['steps', name];
  const { axes } = variant;
  const params = commandOf(command, variant, path, context);
  return plannedStep('runCommand', {
    ...framedStep(variant, command),
    on: context.queueOf(axes, command.on, path),
    source: context.ownSource,
    params: {
      ...params,
      outputs: command.outputs.map((text, index) => context.text(text, axes, [...path, 'outputs', index])),
      expect: command.expect === undefined ? null : context.text(command.expect, axes, [...path, 'expect']),
    },
    files: readFiles(command.files, [command.run, ...Object.values(command.env)], path, context),
    made: true,
    ...(command.cache === false && { cache: 'always' }),
    tools: [...(params.where.in === 'container' ? ['docker'] : []), ...command.tools],
  });
}
