import type { At } from '../../../../importers/importer.js';
import type { Doc } from '../../../../importers/pyyaml/read.js';
import { isDict, jsonOf, type Tree, treeOf, without } from '../../../../importers/pyyaml/tree.js';
import { openWork, type Work } from '../../../../importers/work.js';
import { once } from '../../../../model/once.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import type { Json, JsonObject } from '../../../../model/json.js';
import type { ConfigSection } from '../../schemas/config.js';
import { eachLeaf, find, isFound } from './document.js';
import type { Assignment } from './from.js';
import { type Layout, TOPSAIL_KEYS } from './layouts.js';
import { assign, type Layer, type Merge, openMerge, put, sourceOf } from './merge.js';
import { checkModel, type Model } from './models.js';
import { seek } from './near.js';
import { readOverride } from './overrides.js';
import { firstKey, pathText } from './path.js';
import { applyPreset } from './presets.js';
import { resolveReferences } from './references.js';

/** Files of a configuration, read once for every choice of presets. */
export interface Opened {
  readonly say: ConfigSection;
  readonly at: At;
  readonly layout: Layout;
  readonly doc: Doc;
  readonly models: readonly Model[];
}

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
  /** Assignments of presets, in order, with their paths as written. */
  readonly applied: readonly Assignment[];
  /** References in lists, which are not resolved. */
  readonly inLists: readonly Problem[];
  valueAt(path: string): Json | undefined;
  /** The value and the place that set it, or the problem of the path. */
  read(path: string): { readonly value: Json; readonly from: SourceLocation } | Problem;
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
  { preset = [], set = [] }: Chosen,
  shared?: Work,
): { readonly configuration: Configuration; readonly problems: readonly Problem[] } {
  const found: Problem[] = [];
  const complain = (problem: Problem): unknown => found.length < MOST_PROBLEMS && found.push(problem);
  const merge = openMerge(doc, { work: shared ?? openConfigWork(complain), complain, layout });
  const names = new Set<string>();
  const apply = (asked: readonly string[], by: string, placeOf: (index: number) => SourceLocation) =>
    asked.flatMap((name, index) => applyPreset(merge, { by, chain: [{ name, place: placeOf(index) }], names }));
  const overrides = set.flatMap((text) => readOverride(text, complain) ?? []);
  const isEarly = ({ path }: { readonly path: string }): boolean => firstKey(path) === layout.presets.at;
  for (const one of overrides.filter(isEarly)) assign(merge, one);
  const applied = [
    ...(layout.isOurs ? [] : ownLayers(merge, apply)),
    ...apply(say.apply, 'config.apply', (index) => at(['apply', index]) ?? { file: 'config.apply' }),
    ...apply(preset, '--preset', (index) => ({ file: `--preset ${preset[index]}` })),
  ];
  for (const one of overrides) if (!isEarly(one)) assign(merge, one);
  if (!layout.isOurs && names.size > 0) markApplied(merge, [...names]);
  const { tree: whole, inLists } = resolveReferences(merge);
  const shown = (tree: Tree): Tree => (layout.isOurs && isDict(tree) ? without(tree, layout.presets.at) : tree);
  const [tree, merged] = [shown(whole), shown(merge.tree)];
  for (const model of models) checkModel(merge, tree, model);
  return { configuration: { tree, merged, applied, inLists, ...answersOf(tree, merge) }, problems: found };
}

/** Presets that a TOPSAIL project itself applies, and what it assigns after them. */
function ownLayers(
  merge: Merge,
  apply: (names: readonly string[], by: string, placeOf: () => SourceLocation) => readonly Assignment[],
) {
  const { at } = merge.layout.presets;
  const own = (key: string): Tree | null => {
    const found = find(merge.tree, [at, key]);
    return isFound(found) ? found.value : null;
  };
  const [names, values] = [own(TOPSAIL_KEYS.apply), own(TOPSAIL_KEYS.assign)];
  const texts = (names?.kind === 'list' ? names.items : [names]).flatMap((one) =>
    one?.kind === 'scalar' && one.type !== 'null' ? [one.text] : [],
  );
  const by = pathText([at, TOPSAIL_KEYS.assign]);
  return [
    ...apply(texts, pathText([at, TOPSAIL_KEYS.apply]), () => sourceOf(merge.layers, [at, TOPSAIL_KEYS.apply]).place),
    ...[...(values !== null && isDict(values) ? values.keys : [])].flatMap(([path, { value }]) => {
      const { place, placeOf } = sourceOf(merge.patches, [at, TOPSAIL_KEYS.assign, path]);
      return assign(merge, { path, value, from: { place, by }, placeOf });
    }),
  ];
}

/** Programs that read the document apply no preset again. */
function markApplied(merge: Merge, names: readonly string[]): void {
  const marks = [
    [TOPSAIL_KEYS.apply, []],
    [TOPSAIL_KEYS.assign, {}],
    [TOPSAIL_KEYS.names, names],
  ] as const;
  for (const [key, value] of marks) {
    const path = [merge.layout.presets.at, key];
    if (!isFound(find(merge.tree, path))) continue;
    const { place } = sourceOf(merge.layers, path);
    put(merge, {
      path,
      tree: treeOf(value),
      from: { place, by: 'the presets that are applied' },
      placeOf: () => place,
    });
  }
}

function answersOf(tree: Tree, { layers, layout }: Merge) {
  const read: Configuration['read'] = (text) => {
    const found = seek(tree, text);
    if (typeof found === 'function') return found();
    return { value: jsonOf(found.value), from: sourceOf(layers, found.path).place };
  };
  const valueAt = (text: string): Json | undefined => {
    const found = read(text);
    return 'value' in found ? found.value : undefined;
  };
  const isHidden = ({ path }: Assignment): boolean => layout.isOurs && firstKey(path) === layout.presets.at;
  const assignments = once(() => layers.flatMap(assignmentsOf).filter((one) => !isHidden(one)));
  return { document: jsonOf(tree), read, valueAt, assignments };
}

/** Each leaf of the file, and each assignment of another layer. */
function assignmentsOf({ path: top, tree, from, placeOf }: Layer): readonly Assignment[] {
  if (top.length > 0) return [{ path: pathText(top), value: jsonOf(tree), from }];
  const all: Assignment[] = [];
  eachLeaf(tree, [], (path, leaf, at) => {
    all.push({ path: pathText(path), value: jsonOf(leaf), from: { place: placeOf(at) } });
  });
  return all;
}

/** Document and sources as one record of plain data. */
export const recordOf = ({ document, applied, assignments }: Configuration): JsonObject =>
  ({ document, applied, assignments: assignments() }) as unknown as JsonObject;
