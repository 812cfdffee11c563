import { entryOf, type StepId } from '../../model/ids.js';
import { Command } from '../../model/schema/sections/builds.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { commandsOf } from '../entries.js';
import { plannedStep } from '../planned-step.js';
import { envOf, lineOf, refs } from '../entry.js';
import { problems } from '../errors.js';
import { refuseIdle } from '../idle-keys.js';
import type { Made, Stage, PlannedStep } from '../stage.js';

/** Steps that clean up elsewhere: entries of `steps:` with `after`. The seal does not wait for them, and they store no
 * outputs. */
export const tidyUp: Stage = {
  id: 'steps',
  title: 'tidying up',
  steps: (context, made) =>
    commandsOf(context.release)
      .filter(([name, command]) => command.after.length > 0 && context.assumable(`steps/${name}`) === null)
      .map(([name, command]) => make(name, command, context, made)),
};

function make(name: string, command: Command, main: Context, made: Made): PlannedStep {
  const path = ['steps', name];
  const takesTree = command.needs.length === 1 && command.needs[0] === 'source';
  refuseIdle([takesTree ? { ...command, needs: [], source: undefined } : command, USUAL], OF_BUILDS, path, main);
  const context = takesTree ? main.sourced(command.source, path) : main;
  const tree = takesTree ? treeOf(context, path, made) : [];
  const text = (said: string, at: string): string => context.text(said, {}, [...path, at]);
  return plannedStep('tidyUp', {
    id: `steps/${name}`,
    on: context.queueOf({}, command.on, path),
    ...(takesTree && { source: context.sourceStep }),
    after: [...tree, ...idsAfter(command, path, context, made)],
    params: {
      ...lineOf(command.run, {}, [...path, 'run'], context),
      env: envOf(command.env, {}, path, context),
      folder: text(command.folder, 'folder'),
      where: { in: 'host' },
      outputs: [],
      expect: command.expect === undefined ? null : text(command.expect, 'expect'),
      ...(command.network && { network: true }),
    },
    files: readFiles(command.files, [command.run, ...Object.values(command.env)], path, context),
    tools: command.tools,
    timeout: command.timeout,
    retry: command.retry,
  });
}

const USUAL = Command.parse({ run: 'true' });

const OF_BUILDS = {
  keys: [
    ...(['source', 'needs', 'matrix', 'exclude', 'include', 'packages', 'base'] as const),
    ...(['outputs', 'inputs', 'parallel', 'cache'] as const),
  ],
  why: (key: string) =>
    `a step with "after" also runs where nothing was made, so it takes no "${key}"${key === 'needs' ? ' but [source]' : ''}`,
  next: (key: string) =>
    `Take \`${key}\` away; or write \`needs\` in place of \`after\`, and the step runs only where all went well.`,
} as const;

/** Returns the step that fetches the tree, as an edge `after`: a clean-up also runs where the fetch failed. */
function treeOf({ sourceStep, ...context }: Context, path: readonly string[], { drafts }: Made): readonly StepId[] {
  if (drafts.some(({ step }) => step.id === sourceStep)) return [sourceStep];
  context.complain(problems.unknownNeed(context.at([...path, 'needs', 0]), 'source', new Set(), sourceStep));
  return [];
}

/** Returns every variant that a reference names. In place of left-out ones it returns what they would have waited for. */
function idsAfter(
  { after }: Command,
  path: readonly string[],
  context: Context,
  { drafts, variants }: Made,
): readonly StepId[] {
  return refs(after, [...path, 'after'], context).flatMap(({ ref, path: at }) => {
    const named = drafts.filter(({ step }) => step.id === ref.id || step.id.startsWith(`${ref.id}/`));
    const fitting = named.filter(({ step }) =>
      Object.entries(ref.pick).every(([axis, value]) => step.axes[axis] === value),
    );
    if (named.length === 0 && !variants.has(ref.id) && context.assumable(ref.id) === null) {
      const known = new Set(drafts.map(({ step }) => entryOf(step.id)));
      context.complain(problems.unknownNeed(context.at(at), ref.text, known, ref.id));
    } else if (named.length > 0 && fitting.length === 0)
      context.complain(problems.noMatch(context.at(at), ref.text, `there is ${named[0]!.step.id}`));
    const left = (variants.get(ref.id) ?? []).filter(({ item }) => item.assumed !== undefined);
    const behind = new Set(left.flatMap((one) => [...one.needs, ...one.behind]).map(({ id }) => id));
    return [...fitting, ...drafts.filter(({ step }) => behind.has(step.id))].map(({ step }) => step.id);
  });
}
