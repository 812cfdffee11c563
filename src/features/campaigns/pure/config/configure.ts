import type { At } from '../../../../importers/importer.js';
import { type Doc, readDoc } from '../../../../importers/pyyaml/read.js';
import { isDict, jsonOf, type Tree, treeOf, valueAt, without } from '../../../../importers/pyyaml/tree.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import type { Json } from '../../../../model/json.js';
import type { Given } from '../../../../model/plan.js';
import type { ConfigSection } from '../../schemas/config.js';
import { follow, isNull, leavesOf, placedAt } from './document.js';
import { problems } from './errors.js';
import { assign, type Limits, type Merge, openLimits, type PathEntry, put, sourceOf } from './merge.js';
import { checkModel, type Model } from './models.js';
import { seek } from './near.js';
import { isPath, pathText, readPath } from './path.js';
import { applyPreset, type Layout, TOPSAIL_KEYS } from './presets.js';
import { checkNumbers, notesOf, resolveReferences } from './references.js';
import type { Assignment, ConfigRecord } from './why.js';

/** Files of a configuration, read once for every choice of presets. */
export interface Opened {
  readonly say: ConfigSection;
  readonly at: At;
  readonly layout: Layout;
  readonly doc: Doc;
  readonly models: readonly Model[];
}

export interface Configuration {
  /** After all layers and references, with types of Python. */
  readonly tree: Tree;
  /** Assignments of presets, in order, with their paths as written. */
  readonly applied: readonly Assignment[];
  /** Document and sources, as they are stored with a plan. */
  record(): ConfigRecord;
  /** References in lists, which are not resolved, and floats that are printed without a fraction. */
  notes(): readonly Problem[];
  /** The value and the place that set it, or the problem of the path. */
  read(path: string): { readonly value: Json; readonly from: SourceLocation } | Problem;
}

const MOST_PROBLEMS = 100;

/** Merges layers, lowest first: the file, presets that it applies, presets of `config.apply`, of --preset, values of --set. */
export function configure(
  opened: Opened,
  { preset = [], set = [] }: Given,
  limits?: Limits,
): { readonly configuration: Configuration; readonly problems: readonly Problem[] } {
  const { say, at, layout, doc, models } = opened;
  const found: Problem[] = [];
  const complain = (problem: Problem): void => void (found.length < MOST_PROBLEMS && found.push(problem));
  const { work, search } = limits ?? openLimits(complain);
  const merge: Merge = {
    ...{ tree: doc.tree, layers: [], names: new Set(), layout, complain, search },
    work: (count, place) => found.length < MOST_PROBLEMS && work(count, place),
    placeOf: (position) => (position < 0 ? placeOfOverride(set[-1 - position]!) : doc.place(position)),
  };
  const overrides = set.flatMap((text, index) => readOverride(text, -1 - index, complain) ?? []);
  if (!layout.isOurs) applyOwn(merge);
  for (const [index, name] of say.apply.entries())
    applyPreset(merge, 'config.apply', [{ name, place: at(['apply', index]) ?? { file: 'config.apply' } }]);
  for (const name of preset) applyPreset(merge, '--preset', [{ name, place: { file: `--preset ${name}` } }]);
  for (const one of overrides) {
    const path = readPath(one.path);
    if (isPath(path) && path[0] === layout.presets) complain(problems.reserved(merge.placeOf(one.at), layout.presets));
    else assign(merge, one);
  }
  const applied = merge.layers.flatMap(({ path, value, from }) =>
    from.by === undefined ? [] : [{ path, value, from }],
  );
  if (!layout.isOurs && merge.names.size > 0) markApplied(merge);
  const whole = resolveReferences(merge);
  const tree = layout.isOurs && isDict(whole) ? without(whole, layout.presets) : whole;
  checkNumbers(merge, tree);
  for (const model of models) checkModel(merge, tree, model);
  const record = (): ConfigRecord => ({ document: jsonOf(tree), applied, assignments: assignmentsOf(merge, opened) });
  const read: Configuration['read'] = (text) => {
    const seen = seek(tree, text);
    return 'code' in seen ? seen : { value: jsonOf(seen.value), from: sourceOf(merge, seen.path) };
  };
  return { configuration: { tree, applied, record, notes: () => notesOf(merge), read }, problems: found };
}

/** An option is its own place: `--set service.port=1`. */
const placeOfOverride = (text: string): SourceLocation => ({ file: `--set ${text.slice(0, 60)}` });

/** Reads `PATH=YAML`, whose quoted keys may have `=`, to values at one position. Null, with a complaint, if it is something else. */
function readOverride(text: string, at: number, complain: Merge['complain']): PathEntry | null {
  const signs = [...text.slice(0, 1_000).matchAll(/=/g)].map(({ index }) => index);
  const end = signs.find((sign) => isPath(readPath(text.slice(0, sign)))) ?? signs[0];
  if (end === undefined) return (complain(problems.override(placeOfOverride(text), text)), null);
  const path = text.slice(0, end);
  const doc = readDoc(text.slice(end + 1), placeOfOverride(path).file, (problem) =>
    complain({ ...problem, next: 'Correct the value behind =.' }),
  );
  return doc && { path, value: placedAt(doc.tree, at), at };
}

/** Applies presets that a TOPSAIL project itself applies, then values that it assigns. */
function applyOwn(merge: Merge): void {
  const { presets } = merge.layout;
  const [names, values] = [TOPSAIL_KEYS.apply, TOPSAIL_KEYS.assign].map((key) => valueAt(merge.tree, [presets, key]));
  for (const one of names?.kind === 'list' ? names.items : [names])
    if (one?.kind === 'scalar' && !isNull(one))
      applyPreset(merge, pathText([presets, TOPSAIL_KEYS.apply]), [{ name: one.text, place: merge.placeOf(one.at) }]);
  for (const [path, entry] of isDict(values) ? values.keys : [])
    assign(merge, { path, ...entry }, { by: pathText([presets, TOPSAIL_KEYS.assign]) });
}

/** Programs that read the document apply no preset again. */
function markApplied(merge: Merge): void {
  const marks = [
    [TOPSAIL_KEYS.apply, []],
    [TOPSAIL_KEYS.assign, {}],
    [TOPSAIL_KEYS.names, [...merge.names]],
  ] as const;
  for (const [key, value] of marks) {
    const { path, at, left } = follow(merge.tree, [merge.layout.presets, key]);
    if (left > 0) continue;
    const said = { path: pathText(path), value: placedAt(treeOf(value), at), at };
    put(merge, said, path, { by: 'the presets that are applied' });
  }
}

/** Every assignment, of each leaf of the file too. Presets of ours are no part of the document. */
function assignmentsOf({ layers }: Merge, { doc, layout }: Opened): readonly Assignment[] {
  const leaves = leavesOf(doc.tree).map(({ path, value, at }) => {
    return { to: path, value: jsonOf(value), from: { place: doc.place(at) } };
  });
  return [...leaves, ...layers]
    .filter(({ to }) => !layout.isOurs || to[0] !== layout.presets)
    .map(({ to, value, from }) => ({ path: pathText(to), value, from }));
}
