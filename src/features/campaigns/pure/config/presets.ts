import { EMPTY, type Entry, isDict, type Tree, valueAt, without } from '../../../../importers/pyyaml/tree.js';
import type { At } from '../../../../importers/importer.js';
import type { Problem } from '../../../../model/failure.js';
import { closest } from '../../../../model/suggest.js';
import type { ConfigSection } from '../../schemas/config.js';
import { isNull } from './document.js';
import { type Link, problems } from './errors.js';
import { assign, COST, maySearch, type Merge } from './merge.js';

/** Which file holds the configuration, and which of its keys hold presets. */
export interface Layout {
  readonly file: string;
  /** Key of the presets at the top. */
  readonly presets: string;
  /** Names below it that are no presets. */
  readonly reserved: readonly string[];
  /** Ours: the key of the presets is no part of the document, and a value keeps the type of the one that it replaces. */
  readonly isOurs: boolean;
}

/** Keys beside the presets of a TOPSAIL project (projects/core/library/config.py, `init`): presets that the file applies, values that
 * it assigns after them, names of applied presets. */
export const TOPSAIL_KEYS = { apply: 'to_apply', assign: 'variable_overrides', names: 'names' };

/** Returns the layout of a section, or the problem of its keys. */
export function layoutOf({ file = 'config.yaml', import: by, project }: ConfigSection, at: At): Layout | Problem {
  if (by === undefined && project === undefined) return { file, presets: 'presets', reserved: [], isOurs: true };
  if (by === undefined || project === undefined || file !== 'config.yaml')
    return problems.section(at([by === undefined ? 'project' : 'import']));
  return {
    file: `${project}/testing/config.yaml`,
    presets: 'ci_presets',
    reserved: ['name', ...Object.values(TOPSAIL_KEYS)],
    isOurs: false,
  };
}

/** A longer chain of presets is taken for endless. */
const LONGEST_CHAIN = 100;
const EXTENDS = 'extends';

/** Presets of a document by name, in the order of the file. Null is a placeholder. */
export function presetsIn(tree: Tree, { presets, reserved }: Layout): ReadonlyMap<string, Entry> {
  const found = valueAt(tree, [presets]);
  return (isDict(found) ? without(found, ...reserved) : EMPTY).keys;
}

/** Assigns what a preset says, in the order of its lines. `extends` acts on its line.
 * @param by name of what asks for the preset: `--preset`
 * @param chain presets from the asked one on, each with the line that names it. The last is applied. */
export function applyPreset(merge: Merge, by: string, chain: readonly Link[]): void {
  const { name, place } = chain.at(-1)!;
  if (!merge.work(COST, place)) return;
  const before = chain.findIndex((one) => one.name === name);
  if (before < chain.length - 1 || chain.length > LONGEST_CHAIN)
    return merge.complain(problems.presetLoop(place, chain.slice(before)));
  const { presets, reserved } = merge.layout;
  const all = valueAt(merge.tree, [presets]);
  const found = isDict(all) && !reserved.includes(name) ? all.keys.get(name) : undefined;
  if (found === undefined) {
    const known = maySearch(merge, place) ? [...presetsIn(merge.tree, merge.layout).keys()] : [];
    return merge.complain(problems.presetUnknown(place, name, known));
  }
  const [own, { value }] = [merge.placeOf(found.at), found];
  if (isNull(value)) return merge.complain(problems.presetEmpty(own, name));
  if (!isDict(value)) return merge.complain(problems.notAMap(own, `preset ${name}`, value));
  merge.names.add(name);
  const through = chain.slice(0, -1).map((link) => link.name);
  for (const [path, entry] of value.keys) {
    const isMeant = path !== EXTENDS && closest(path, [EXTENDS]) !== null && valueAt(merge.tree, [path]) === undefined;
    if (isMeant) merge.complain(problems.misspeltExtends(merge.placeOf(entry.at), path));
    else if (path === EXTENDS) for (const link of linksIn(merge, name, entry)) applyPreset(merge, by, [...chain, link]);
    else assign(merge, { path, ...entry }, { preset: name, ...(through.length > 0 && { through }), by });
  }
}

const isName = (tree: Tree): tree is Extract<Tree, { kind: 'scalar' }> => tree.kind === 'scalar' && !isNull(tree);

/** Returns the presets that a preset extends, with their lines. Complains if it is no list of names. */
function linksIn({ placeOf, complain }: Merge, name: string, { value, at }: Entry): readonly Link[] {
  if (value.kind === 'list' && value.items.every(isName))
    return value.items.map((one) => ({ name: one.source ?? one.text, place: placeOf(one.at) }));
  complain(problems.extends(placeOf(at), name, value));
  return [];
}
