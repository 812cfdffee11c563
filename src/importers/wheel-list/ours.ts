import { grouped } from '../../model/grouped.js';
import type { Rebuilds } from '../../model/made-base.js';
import { namedBy } from '../../model/schema/globs.js';
import { buildNumberOf, normalName, parseWheelName, type WheelName } from '../../model/python/file-name.js';
import { isAdmitted, parseSpecifiers } from '../../model/python/specifier.js';
import { sameVersion } from '../../model/python/version.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import type { FormerWheel, ImportFacts, OurIndex, OurWheel } from '../asks.js';
import type { Setting } from '../importer.js';
import { entryName } from './entry-name.js';
import type { Target } from './target.js';

/** A version of a project on a target. */
export interface Wanting {
  readonly project: string;
  readonly version: string;
  readonly target: Target;
}

/** Returns the wheel of ours that installers take for a want. Null unless each index that is to list it does. */
export type Ours = (want: Wanting) => OurWheel | null;

/** Returns the wheels of a want that an index had and does not list, the highest build number first. */
export type Former = (want: Wanting) => readonly FormerWheel[];

interface Named<W> {
  readonly wheel: W;
  readonly name: WheelName;
}

type Index<W> = ReadonlyMap<string, readonly Named<W>[]>;

/** Opens the lists of our indexes. */
export function openOurs(lists: ImportFacts['ours'], targets: Setting['indexes']): Ours {
  const found = openIndexes(lists, targets, ({ wheels }) => wheels);
  return (want) => {
    const [first = [], ...others] = found(want);
    const everywhere = first.filter((wheel) => others.every((all) => all.some(({ file }) => file === wheel.file)));
    return everywhere.toSorted(byBuild)[0] ?? null;
  };
}

export function openFormer(lists: ImportFacts['ours'], targets: Setting['indexes']): Former {
  const found = openIndexes(lists, targets, ({ former = [] }) => former);
  return (want) => found(want).flat().toSorted(byBuild);
}

/** Returns the wheels that serve a want, by each index that is to list it. Names are parsed once. */
function openIndexes<W extends OurWheel>(
  lists: ImportFacts['ours'],
  targets: Setting['indexes'],
  wheelsOf: (index: OurIndex) => readonly W[],
): (want: Wanting) => readonly (readonly W[])[] {
  const open = new Map<string, Index<W>>();
  const indexOf = (platform: string, target: string): Index<W> => {
    const key = `${platform} ${target}`;
    const index = lists[platform]?.[target];
    const known = open.get(key) ?? byProject(index === undefined ? [] : wheelsOf(index));
    open.set(key, known);
    return known;
  };
  const takers = targets.map(({ target, files }) => ({ target, takes: files.map(takerOf) }));
  return (want) =>
    takers
      .filter(({ takes }) => takes.some((isTaken) => isTaken(want)))
      .map(({ target }) => indexOf(want.target.platform, target).get(want.project) ?? [])
      .map((all) => all.filter((one) => serves(one, want)).map(({ wheel }) => wheel));
}

/** Returns what earlier runs recorded about wheels of all indexes. */
export function rebuildsIn(lists: ImportFacts['ours']): Rebuilds {
  const all = Object.values(lists).flatMap((targets) =>
    Object.values(targets).flatMap(({ rebuilds }) => rebuilds ?? []),
  );
  return {
    bases: Object.assign({}, ...all.map(({ bases }) => bases)) as Rebuilds['bases'],
    confirmed: Object.assign({}, ...all.map(({ confirmed }) => confirmed)) as Rebuilds['confirmed'],
  };
}

function byProject<W extends OurWheel>(wheels: readonly W[]): Index<W> {
  const named = wheels.flatMap((wheel) => {
    const name = parseWheelName(wheel.file);
    return name === null ? [] : [{ wheel, name }];
  });
  return grouped(named, ({ name }) => normalName(name.project));
}

function serves({ wheel: { requiresPython }, name }: Named<OurWheel>, { version, target }: Wanting): boolean {
  if (!sameVersion(name.version, version) || !wheelFits(name, target.tags)) return false;
  const requires = requiresPython === null ? null : parseSpecifiers(requiresPython);
  return requires === null || isAdmitted(target.version, requires);
}

export const buildOf = ({ file }: Pick<OurWheel, 'file'>): number => buildNumberOf(file) ?? 0;
const byBuild = (a: OurWheel, b: OurWheel): number => buildOf(b) - buildOf(a);

/** Returns whether a line of `files` takes a wheel: `wheels/*`, `wheels/*[platform=debian-12]`. */
function takerOf({ id, pick }: Setting['indexes'][number]['files'][number]): (want: Wanting) => boolean {
  const isMeant = namedBy([id]);
  return (want) => {
    const { platform, python } = want.target;
    const axes: Readonly<Record<string, string>> = { platform, python };
    return Object.entries(pick).every(([axis, value]) => axes[axis] === value) && isMeant(`wheels/${entryName(want)}`);
  };
}
