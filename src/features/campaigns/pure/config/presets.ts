import { isDict, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { SourceLocation } from '../../../../model/failure.js';
import { find, isFound } from './document.js';
import { type Link, problems } from './errors.js';
import type { Assignment } from './from.js';
import { assign, type Merge, sourceOf } from './merge.js';
import type { Path } from './path.js';

/** A longer chain of presets is taken for endless. */
const LONGEST_CHAIN = 100;
const EXTENDS = 'extends';
/** An applied key counts as so many copied entries. */
const COST = 2_000;

/** Key of the presets, and names below it that are none. */
export interface PresetKeys {
  readonly at: Path;
  readonly reserved: readonly string[];
}

export interface Preset {
  readonly name: string;
  readonly place: SourceLocation;
  /** Null: a placeholder. */
  readonly value: Tree;
}

/** Presets of a document, in the order of the file. */
export function presetsOf(merge: Pick<Merge, 'tree' | 'patches'>, { at, reserved }: PresetKeys): readonly Preset[] {
  const found = find(merge.tree, at);
  if (!isFound(found) || !isDict(found.value)) return [];
  return [...found.value.keys]
    .filter(([name]) => !reserved.includes(name))
    .map(([name, { value }]) => ({ name, value, place: sourceOf(merge.patches, [...at, name]).place }));
}

interface Asked {
  /** Name of what asks for the preset: `--preset`. */
  readonly by: string;
  readonly keys: PresetKeys;
  /** Presets from the asked one on, each with the line that names it. The last is applied. */
  readonly chain: readonly Link[];
  /** Names of applied presets, each before those that it extends. */
  readonly names: Set<string>;
}

/** Assigns what a preset says, in the order of its lines. `extends` acts on its line. Returns the assignments. */
export function applyPreset(merge: Merge, asked: Asked): readonly Assignment[] {
  const { chain, keys } = asked;
  const { name, place } = chain.at(-1)!;
  const complain = (problem: Parameters<Merge['complain']>[0]): readonly Assignment[] => {
    merge.complain(problem);
    return [];
  };
  const before = chain.findIndex((one) => one.name === name);
  if (before < chain.length - 1 || chain.length > LONGEST_CHAIN)
    return complain(problems.presetLoop(place, chain.slice(before)));
  const preset = find(merge.tree, [...keys.at, name]);
  if (!isFound(preset) || keys.reserved.includes(name)) {
    const known = presetsOf(merge, keys).map((one) => one.name);
    return complain(problems.presetUnknown(place, name, known));
  }
  const { value } = preset;
  if (value.kind === 'scalar' && value.type === 'null')
    return complain(problems.presetEmpty(sourceOf(merge.patches, preset.path).place, name));
  if (!isDict(value))
    return complain(problems.notAMap(sourceOf(merge.patches, preset.path).place, `preset ${name}`, value));
  asked.names.add(name);
  return [...value.keys].flatMap(([key, { value: one }]) => {
    const path = [...keys.at, name, key];
    if (!merge.work(COST * merge.patches.length, place)) return [];
    return key === EXTENDS ? extended(merge, asked, path, one) : (assigned(merge, asked, path, one) ?? []);
  });
}

function extended(merge: Merge, asked: Asked, path: Path, value: Tree): readonly Assignment[] {
  const { place } = sourceOf(merge.patches, path);
  const { name } = asked.chain.at(-1)!;
  const names =
    value.kind === 'list'
      ? value.items.map((one) => (one.kind === 'scalar' && one.type !== 'null' ? one : null))
      : [null];
  if (names.includes(null)) {
    merge.complain(problems.extends(place, name, value));
    return [];
  }
  return names.flatMap((one, index) => {
    const link = { name: one!.source ?? one!.text, place: sourceOf(merge.patches, [...path, index]).place };
    return applyPreset(merge, { ...asked, chain: [...asked.chain, link] });
  });
}

function assigned(merge: Merge, { chain, by }: Asked, path: Path, value: Tree): Assignment | null {
  const { place, placeOf } = sourceOf(merge.patches, path);
  const through = chain.slice(0, -1).map(({ name }) => name);
  const from = { place, preset: chain.at(-1)!.name, ...(through.length > 0 && { through }), by };
  return assign(merge, { path: String(path.at(-1)), value, from, placeOf });
}
