import type { Axes } from '../model/ids.js';
import type { KindName } from '../model/kinds.js';
import type { CommandParams, Env } from '../model/params.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import type { StepSpec } from './planned-step.js';
import { BARE, type PlanEntry, type Need, type Variant } from './stage.js';
import { parseRef, plainRef } from './refs.js';
import type { LateVariable } from './text.js';
import { whereOf } from './where.js';

interface Framed {
  readonly needs: readonly string[];
  readonly matrix: PlanEntry['matrix'];
  readonly exclude: readonly Axes[];
  readonly include: readonly Axes[];
  readonly platforms?: readonly string[] | undefined;
  readonly pythons?: readonly string[] | undefined;
}

/** Returns needs and matrix of an entry, without the function that makes its steps. */
export function frameItem(id: string, entry: Framed, path: Path, context: Context): Omit<PlanEntry, 'make'> {
  const needs = refs(entry.needs, [...path, 'needs'], context);
  const { platforms, pythons, exclude, include } = entry;
  const matrix = { ...(pythons && { python: pythons }), ...(platforms && { platform: platforms }), ...entry.matrix };
  return { ...BARE, id, path, needs, matrix, exclude, include };
}

/** Parses references and adds their places. */
export function refs(texts: readonly string[], path: Path, context: Context): readonly Need[] {
  return texts.flatMap((text, index) => {
    const ref = parseRef(text);
    const at = [...path, index];
    if (ref) return [{ ref: ref.id === 'source' ? { ...ref, id: context.sourceStep } : ref, path: at }];
    context.complain(
      problems.wrongValue(context.at(at), `${JSON.stringify(text)}: inside brackets stand axis=value pairs, or *`),
    );
    return [];
  });
}

/** Returns the source as a need of a build, unless the entry needs an sdist. */
export function treeNeeds(needs: readonly Need[], path: Path, context: Context): readonly Need[] {
  return needs.some((need) => need.ref.id.startsWith('sdists/')) ? [] : [sourceNeed(path, context)];
}

export const sourceNeed = (path: Path, context: Context): Need => ({ ref: plainRef(context.sourceStep), path });

/** Removes repeated needs and keeps the first, which a person wrote. */
export function unique(needs: readonly Need[]): readonly Need[] {
  return needs.filter((need, index) => needs.findIndex((other) => other.ref.text === need.ref.text) === index);
}

export const idsOf = (variant: Variant): readonly string[] => variant.needs.map((need) => need.id);

/** The part of a step that its variant and the frame of its entry decide. */
export const framedStep = (variant: Variant, { timeout, retry }: Pick<StepSpec<KindName>, 'timeout' | 'retry'>) => ({
  id: variant.id,
  axes: variant.axes,
  needs: idsOf(variant),
  ...{ timeout, retry },
});

interface Commanded {
  readonly run?: string | undefined;
  readonly env: Env;
  readonly folder: string;
  readonly packages: readonly string[];
  readonly base?: string | undefined;
  readonly network: boolean;
}

/** Returns the command of a variant, with its texts filled in.
 * @param late folders of the worker that its line may name */
export function commandOf(
  entry: Commanded,
  variant: Variant,
  path: Path,
  context: Context,
  late?: readonly LateVariable[],
): CommandParams {
  return {
    ...(entry.run === undefined ? { run: null } : lineOf(entry.run, variant.axes, [...path, 'run'], context, late)),
    env: envOf(entry.env, variant.axes, path, context),
    folder: context.text(entry.folder, variant.axes, [...path, 'folder']),
    where: whereOf(entry, variant),
    ...(entry.network && { network: true }),
  };
}

export function lineOf(
  text: string,
  axes: Axes,
  path: Path,
  context: Context,
  late?: readonly LateVariable[],
): Pick<CommandParams, 'vars'> & { readonly run: string } {
  const { line, vars } = context.line(text, axes, path, late);
  return { run: line, ...withVars(vars) };
}

export const withVars = (vars: Env): { readonly vars?: Env } => (Object.keys(vars).length === 0 ? {} : { vars });

/** @param made changes a value that placeholders gave, which may come out of the commit */
export function envOf(env: Env, axes: Axes, path: Path, context: Context, made = (text: string): string => text): Env {
  const filled = (name: string, value: string): string => {
    const text = context.text(value, axes, [...path, 'env', name]);
    return text === value ? text : made(text);
  };
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(name, value)]));
}

/** Complains if only one of builder `command` and `run` is given. */
export function checkBuilder(
  entry: { readonly builder: string; readonly run?: string | undefined },
  path: Path,
  context: Context,
): void {
  if (entry.builder === 'command' && entry.run === undefined)
    context.complain(problems.missingKey(context.at(path), 'run'));
  if (entry.builder !== 'command' && entry.run !== undefined) {
    context.needsThat(
      [...path, 'run'],
      `builder ${entry.builder} makes its own command`,
      'Write `builder: command`, or take `run` away.',
    );
  }
}

/** Programs of a builder of Python packages. uv makes its environment. */
export const programsOf = (builder: string): readonly string[] => ['uv', ...(BUILDING[builder] ?? [])];
const BUILDING: Readonly<Record<string, readonly string[]>> = {
  ...{ build: ['pyproject-build'], cibuildwheel: ['cibuildwheel'] },
};

/** The oldest Python builds one wheel for all Pythons, or the Python of the lock that it needs. */
export const interpreterOf = ({ axes, needs }: Variant, context: Context): string | null =>
  axes['python'] ?? needs.find(({ id }) => id.startsWith('deps/'))?.axes['python'] ?? context.pythons[0] ?? null;

/** Returns the Python of a variant, else the one that all its wheels have. */
export function wheelPythonOf({ axes, needs }: Variant): string | null {
  const wheels = needs.filter(({ id }) => id.startsWith('wheels/'));
  const pythons = new Set(wheels.map((wheel) => wheel.axes['python']));
  return axes['python'] ?? (pythons.size === 1 ? ([...pythons][0] ?? null) : null);
}

export const pythonByPlatform = (context: Context): PlanEntry['own'] => ({
  python: context.pythons,
  platform: context.platforms,
});

/** Converts a day to its first moment in UTC. Null without a cut-off. */
export const instantOf = (cutoff: string | undefined): string | null =>
  cutoff === undefined ? null : cutoff.includes('T') ? cutoff : `${cutoff}T00:00:00Z`;
