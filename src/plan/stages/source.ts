import { CONTROL, sourceStepId, type StepId } from '../../model/ids.js';
import type { SourceRef } from '../../model/params.js';
import type { PlanSource } from '../../model/plan.js';
import type { NamedSource } from '../../model/schema/sections/sources.js';
import { bundlePath } from '../bundle.js';
import type { Context } from '../context.js';
import { commandsOf } from '../entries.js';
import { problems, type Path } from '../errors.js';
import type { GitFacts } from '../facts.js';
import { plannedStep } from '../planned-step.js';
import { type Stage, BARE, type PlannedStep, type PlanEntry } from '../stage.js';

/** Returns the source of the steps that have no source of their own. */
export function planSource(context: Context): PlanSource {
  const { source } = context.release;
  const branch = context.facts.git?.branch ?? null;
  if (source === undefined) return { kind: 'none', branch };
  return { ...refOf(source, context.facts.git, ['source'], context), branch };
}

function refOf(source: NamedSource, git: GitFacts | null, path: Path, context: Context): SourceRef {
  if ('git' in source) {
    const { folder } = source;
    return { kind: 'git', commit: git?.commit ?? '', ...(folder !== undefined && { folder }) };
  }
  const [name, version] = source.sdist.split('==') as [string, string];
  if (!('path' in source)) {
    const { sha256, file } = source;
    return { kind: 'sdist', name, version, sha256, ...(file !== undefined && { file }) };
  }
  const file = bundlePath(source.path, [...path, 'path'], context);
  const found = context.facts.bundle.find((one) => one.path === file)?.digest.slice('sha256:'.length) ?? '';
  return { kind: 'sdist', name, version, sha256: source.sha256 ?? found, path: file };
}

export const source: Stage = {
  id: 'source',
  title: 'fetching source',
  items: (context) => {
    const { source: main, sources } = context.release;
    return [
      ...(main === undefined ? [] : [item(context.sourceStep, main, context.facts.git, ['source'], context)]),
      ...Object.entries(sources).map(([name, one]) => named(name, one, context)),
    ];
  },
};

function named(name: string, one: NamedSource, context: Context): PlanEntry {
  const path = ['sources', name];
  const id = sourceStepId(name);
  if (id === context.sourceStep) context.complain(problems.sourceNameTaken(context.at(path, 'key'), name));
  return item(id, one, context.facts.sources?.[name] ?? null, path, context);
}

function item(id: StepId, one: NamedSource, git: GitFacts | null, path: Path, context: Context): PlanEntry {
  const ref = refOf(one, git, path, context);
  const inBundle = ref.kind === 'sdist' && ref.path !== undefined;
  return {
    ...BARE,
    ...{ id, path, needs: [] },
    make: (variant) =>
      plannedStep('fetchSource', {
        id: variant.id,
        on: CONTROL,
        params: { source: ref },
        files: inBundle ? [ref.path!] : [],
        tools: ref.kind === 'sdist' && !inBundle ? ['python'] : [],
      }),
  };
}

/** Removes named sources that no step uses. */
export function withoutIdleSources(
  drafts: readonly PlannedStep[],
  { sourceStep, release }: Context,
): readonly PlannedStep[] {
  const needed = new Set(drafts.flatMap(({ step }) => step.needs));
  for (const [, { after, source: own }] of commandsOf(release))
    if (after.length > 0 && own !== undefined) needed.add(sourceStepId(own));
  return drafts.filter(({ step }) => step.kind !== 'fetchSource' || step.id === sourceStep || needed.has(step.id));
}
