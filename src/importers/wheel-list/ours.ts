import type { Rebuilds } from '../../model/made-base.js';
import { namedBy } from '../../model/schema/globs.js';
import { buildNumberOf, normalName, parseWheelName, type WheelName } from '../../model/python/file-name.js';
import { isAdmitted, parseSpecifiers } from '../../model/python/specifier.js';
import { sameVersion } from '../../model/python/version.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import type { ImportFacts, OurWheel } from '../asks.js';
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

interface Named {
  readonly wheel: OurWheel;
  readonly name: WheelName;
}

type Index = ReadonlyMap<string, readonly Named[]>;

/** Opens the lists of our indexes. Names are parsed once. */
export function openOurs(lists: ImportFacts['ours'], targets: Setting['indexes']): Ours {
  const open = new Map<string, Index>();
  const indexOf = (platform: string, target: string): Index => {
    const key = `${platform} ${target}`;
    const known = open.get(key) ?? byProject(lists[platform]?.[target]?.wheels ?? []);
    open.set(key, known);
    return known;
  };
  const takers = targets.map(({ target, files }) => ({ target, takes: files.map(takerOf) }));
  return (want) => {
    const taking = takers.filter(({ takes }) => takes.some((isTaken) => isTaken(want)));
    const [first, ...others] = taking.map(({ target }) =>
      (indexOf(want.target.platform, target).get(want.project) ?? []).filter((one) => serves(one, want)),
    );
    const everywhere = (first ?? []).filter(({ wheel }) =>
      others.every((all) => all.some((one) => isSame(one, wheel))),
    );
    return everywhere.toSorted((a, b) => buildOf(b.wheel) - buildOf(a.wheel))[0]?.wheel ?? null;
  };
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

const isSame = ({ wheel }: Named, other: OurWheel): boolean => wheel.file === other.file;

function byProject(wheels: readonly OurWheel[]): Index {
  const all = new Map<string, Named[]>();
  for (const wheel of wheels) {
    const name = parseWheelName(wheel.file);
    if (name === null) continue;
    const project = normalName(name.project);
    all.set(project, [...(all.get(project) ?? []), { wheel, name }]);
  }
  return all;
}

function serves({ wheel: { requiresPython }, name }: Named, { version, target }: Wanting): boolean {
  if (!sameVersion(name.version, version) || !wheelFits(name, target.tags)) return false;
  const requires = requiresPython === null ? null : parseSpecifiers(requiresPython);
  return requires === null || isAdmitted(target.version, requires);
}

const buildOf = ({ file }: OurWheel): number => buildNumberOf(file) ?? 0;

/** Returns whether a line of `files` takes a wheel: `wheels/*`, `wheels/*[platform=debian-12]`. */
function takerOf({ id, pick }: Setting['indexes'][number]['files'][number]): (want: Wanting) => boolean {
  const isMeant = namedBy([id]);
  return (want) => {
    const { platform, python } = want.target;
    const axes: Readonly<Record<string, string>> = { platform, python };
    return Object.entries(pick).every(([axis, value]) => axes[axis] === value) && isMeant(`wheels/${entryName(want)}`);
  };
}
