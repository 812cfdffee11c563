import { isDict, jsonOf, type Tree, treeOf, without } from '../../../../importers/pyyaml/tree.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import type { Json, JsonObject } from '../../../../model/json.js';
import { openWork, type Work } from '../../../../importers/work.js';
import { problems } from './errors.js';
import { eachLeaf, find, isFound, withValue } from './document.js';
import { type Assignment, type From, sourcesIn } from './from.js';
import { assign, type Layer, type Merge, openMerge, sourceOf } from './merge.js';
import { checkModel } from './models.js';
import { whyMissing } from './near.js';
import type { Opened } from './open.js';
import { readOverride } from './overrides.js';
import { isPath, type Path, pathText, readPath, startsWith } from './path.js';
import { applyPreset } from './presets.js';
import { type Resolved, resolveReferences } from './references.js';

/** Options of a command that choose a configuration. */
export interface Chosen {
  readonly preset?: readonly string[];
  /** `PATH=YAML` each. */
  readonly set?: readonly string[];
}

export interface Configuration {
  /** After all layers and references. */
  readonly document: Json;
  /** The same with types of Python and positions. */
  readonly tree: Tree;
  /** Before references. */
  readonly merged: Tree;
  /** Assignments of presets, in order. */
  readonly applied: readonly Assignment[];
  /** References in lists, which are not resolved. */
  readonly inLists: Resolved['inLists'];
  valueAt(path: string): Json | undefined;
  /** The value and the place that set it, or the problem of the path. */
  read(path: string): { readonly value: Json; readonly from: SourceLocation } | Problem;
  /** All assignments of a leaf or a subtree, first to last. */
  sourcesOf(path: string): readonly Assignment[];
  /** Every assignment, of each leaf of the file too. Stored with the plan. */
  assignments(): readonly Assignment[];
}

const MOST_PROBLEMS = 100;
/** Copied entries of maps and lists. */
const MOST_WORK = 20_000_000;

/** @param times how many configurations share the limit */
export const openConfigWork = (complain: Merge['complain'], times = 1): Work =>
  openWork(times * MOST_WORK, 'copied values of a configuration', complain);

/** Merges the layers of a configuration, lowest first: the file, presets that it applies, presets of `config.apply`, of --preset,
 * values of --set. A value of --set inside a preset comes before all presets. */
export function configure(
  { say, at, layout, doc, models }: Opened,
  chosen: Chosen,
  work?: Work,
): { readonly configuration: Configuration; readonly problems: readonly Problem[] } {
  const found: Problem[] = [];
  const complain = (problem: Problem): unknown => found.length < MOST_PROBLEMS && found.push(problem);
  const merge = openMerge(doc, { work: work ?? openConfigWork(complain), complain, layout });
  const names = new Set<string>();
  const applyAll = (asked: readonly string[], by: string, placeOf: (index: number) => SourceLocation) =>
    asked.flatMap((name, index) =>
      applyPreset(merge, { by, keys: layout.presets, chain: [{ name, place: placeOf(index) }], names }),
    );
  const set = (chosen.set ?? []).flatMap((text) => readOverride(text, complain) ?? []);
  const isEarly = (text: string): boolean => {
    const path = readPath(text);
    return isPath(path) && startsWith(path, layout.presets.at);
  };
  for (const one of set) if (isEarly(one.path)) assign(merge, one);
  const applied = [
    ...applyAll(...ownPresets(merge, layout.applies)),
    ...ownOverrides(merge, layout.overrides),
    ...applyAll(say.apply, 'config.apply', (index) => at(['apply', index]) ?? at([]) ?? { file: doc.file }),
    ...applyAll(chosen.preset ?? [], '--preset', (index) => ({ file: `--preset ${chosen.preset![index]}` })),
  ];
  for (const one of set) if (!isEarly(one.path)) assign(merge, one);
  markApplied(merge, layout, names);
  const { tree: resolved, inLists } = resolveReferences(merge, layout.presets.at);
  const shown = (tree: Tree): Tree =>
    layout.isOurs && isDict(tree) ? without(tree, String(layout.presets.at[0])) : tree;
  const tree = shown(resolved);
  for (const model of models) checkModel(merge, tree, model);
  return {
    configuration: viewOf({ tree, merged: shown(merge.tree), applied, inLists }, merge.layers, layout),
    problems: found,
  };
}

const textsIn = (tree: Tree | undefined): readonly string[] =>
  tree === undefined || (tree.kind === 'scalar' && tree.type === 'null')
    ? []
    : tree.kind === 'scalar'
      ? [tree.text]
      : tree.kind === 'list'
        ? tree.items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : []))
        : [];

function ownPresets(
  merge: Merge,
  path: Path = [],
): readonly [readonly string[], string, (index: number) => SourceLocation] {
  const found = path.length === 0 ? null : find(merge.tree, path);
  const names = textsIn(found !== null && isFound(found) ? found.value : undefined);
  return [names, pathText(path), () => sourceOf(merge.layers, path).place];
}

function ownOverrides(merge: Merge, path: Path = []): readonly Assignment[] {
  const found = path.length === 0 ? null : find(merge.tree, path);
  if (found === null || !isFound(found) || !isDict(found.value)) return [];
  return [...found.value.keys].flatMap(([key, { value }]) => {
    const { place } = sourceOf(merge.layers, [...path, key]);
    const { placeOf } = merge.layers[0]!;
    return assign(merge, { path: key, value, from: { place, by: pathText(path) }, placeOf }) ?? [];
  });
}

/** Programs that read the document apply no preset again. */
function markApplied(
  merge: Merge,
  { applies, overrides, names: at }: Opened['layout'],
  names: ReadonlySet<string>,
): void {
  const marks = [
    [applies, []],
    [overrides, {}],
    [at, [...names]],
  ] as const;
  for (const [path, value] of marks) {
    const found = path === undefined ? null : find(merge.tree, path);
    if (names.size === 0 || found === null || !isFound(found)) continue;
    const tree = treeOf(value);
    const from = { place: sourceOf(merge.layers, path!).place, by: 'the presets that are applied' };
    merge.tree = withValue(merge.tree, path!, tree);
    merge.layers.push({ path: path!, tree, from, placeOf: () => from.place });
  }
}

function viewOf(
  { tree, ...said }: Pick<Configuration, 'tree' | 'merged' | 'applied' | 'inLists'>,
  layers: readonly Layer[],
  { presets, isOurs }: Opened['layout'],
): Configuration {
  let all: readonly Assignment[] | undefined;
  const isHidden = (path: Path): boolean => isOurs && startsWith(path, presets.at);
  const assignments = (): readonly Assignment[] =>
    (all ??= layers.flatMap((layer) =>
      assignmentsOf(layer)
        .filter(([path]) => !isHidden(path))
        .map(([, one]) => one),
    ));
  const read: Configuration['read'] = (text) => {
    const path = readPath(text);
    if (!isPath(path)) return problems.path(undefined, text, path);
    const found = find(tree, path);
    if (!isFound(found)) return problems.unknownKey(undefined, text, ...whyMissing(tree, path, found));
    return { value: jsonOf(found.value), from: sourceOf(layers, found.path).place };
  };
  return {
    ...{ tree, ...said, document: jsonOf(tree), assignments },
    read,
    valueAt: (text) => {
      const found = read(text);
      return 'value' in found ? found.value : undefined;
    },
    sourcesOf: (path) => sourcesIn(assignments(), path),
  };
}

/** Each leaf of the file, and each assignment of another layer. */
function assignmentsOf({ path: top, tree, from, placeOf }: Layer): readonly (readonly [Path, Assignment])[] {
  if (top.length > 0) return [[top, { path: pathText(top), value: jsonOf(tree), from }]];
  const all: (readonly [Path, Assignment])[] = [];
  eachLeaf(tree, [], (path, leaf, at) =>
    all.push([path, { path: pathText(path), value: jsonOf(leaf), from: { place: placeOf(at) } satisfies From }]),
  );
  return all;
}

/** Document and sources as one record of plain data. */
export const recordOf = ({ document, assignments }: Configuration): JsonObject =>
  ({ document, assignments: assignments() }) as unknown as JsonObject;
