import { isDict, type Scalar, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
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

export interface Preset {
  readonly name: string;
  readonly place: SourceLocation;
  /** Null: a placeholder. */
  readonly value: Tree;
}

/** Presets of a document, in the order of the file. */
export function presetsOf({ tree, patches, layout: { presets } }: Merge): readonly Preset[] {
  const found = find(tree, [presets.at]);
  if (!isFound(found) || !isDict(found.value)) return [];
  return [...found.value.keys]
    .filter(([name]) => !presets.reserved.includes(name))
    .map(([name, { value }]) => ({ name, value, place: sourceOf(patches, [presets.at, name]).place }));
}

interface Asked {
  /** Name of what asks for the preset: `--preset`. */
  readonly by: string;
  /** Presets from the asked one on, each with the line that names it. The last is applied. */
  readonly chain: readonly Link[];
  /** Names of applied presets, each before those that it extends. */
  readonly names: Set<string>;
}

export const isNull = (tree: Tree): boolean => tree.kind === 'scalar' && tree.type === 'null';

/** Assigns what a preset says, in the order of its lines. `extends` acts on its line. Returns the assignments. */
export function applyPreset(merge: Merge, asked: Asked): readonly Assignment[] {
  const { at, reserved } = merge.layout.presets;
  const { name, place } = asked.chain.at(-1)!;
  const found = find(merge.tree, [at, name]);
  const value = isFound(found) && !reserved.includes(name) ? found.value : null;
  const before = asked.chain.findIndex((one) => one.name === name);
  const isLoop = before < asked.chain.length - 1 || asked.chain.length > LONGEST_CHAIN;
  const own = (): SourceLocation => sourceOf(merge.patches, [at, name]).place;
  const wrong = (problem: Problem): readonly Assignment[] => {
    merge.complain(problem);
    return [];
  };
  if (isLoop) return wrong(problems.presetLoop(place, asked.chain.slice(before)));
  if (value === null)
    return wrong(
      problems.presetUnknown(
        place,
        name,
        presetsOf(merge).map((one) => one.name),
      ),
    );
  if (isNull(value)) return wrong(problems.presetEmpty(own(), name));
  if (!isDict(value)) return wrong(problems.notAMap(own(), `preset ${name}`, value));
  asked.names.add(name);
  return [...value.keys].flatMap(([key, { value: one }]) => {
    if (!merge.work(COST * merge.patches.length, place)) return [];
    return (key === EXTENDS ? extended : assigned)(merge, asked, [at, name, key], one);
  });
}

const isName = (tree: Tree): tree is Scalar => tree.kind === 'scalar' && !isNull(tree);

function extended(merge: Merge, asked: Asked, path: Path, value: Tree): readonly Assignment[] {
  const placeOf = (...inner: Path): SourceLocation => sourceOf(merge.patches, [...path, ...inner]).place;
  if (value.kind !== 'list' || !value.items.every(isName)) {
    merge.complain(problems.extends(placeOf(), String(path[1]), value));
    return [];
  }
  return value.items.flatMap(({ source, text }, index) =>
    applyPreset(merge, { ...asked, chain: [...asked.chain, { name: source ?? text, place: placeOf(index) }] }),
  );
}

function assigned(merge: Merge, { chain, by }: Asked, path: Path, value: Tree): readonly Assignment[] {
  const { place, placeOf } = sourceOf(merge.patches, path);
  const through = chain.slice(0, -1).map(({ name }) => name);
  const from = { place, preset: String(path[1]), ...(through.length > 0 && { through }), by };
  return assign(merge, { path: String(path[2]), value, from, placeOf });
}
