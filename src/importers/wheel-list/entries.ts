import { grouped } from '../../model/grouped.js';
import { canonical, type JsonObject } from '../../model/json.js';
import { normalName } from '../../model/python/file-name.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import type { ImportedEntry } from '../../model/imported-entry.js';
import { entryName } from './entry-name.js';
import type { WheelRow } from './rows.js';
import type { Target } from './target.js';
import { isMeant } from './tried.js';

type Recipes = Pick<WheelList, 'with' | 'system'>;

/** Returns an entry of `sources` and one of `wheels` for each version that is to be built. */
export function entriesOf(rows: readonly WheelRow[], list: Recipes): readonly ImportedEntry[] {
  const builds = rows.filter(({ verdict }) => verdict === 'build');
  return [...grouped(builds, entryName)].flatMap(([name, all]) => [sourceOf(name, all[0]), wheelOf(name, all, list)]);
}

const common = (name: string, { asked }: WheelRow) => ({ name, origin: asked[0]!, places: {}, because: null });

const sourceOf = (name: string, row: WheelRow): ImportedEntry => ({
  ...common(name, row),
  section: 'sources',
  entry: { sdist: `${row.project}==${row.version}`, sha256: row.sha256!, file: row.file! },
});

function wheelOf(name: string, rows: readonly WheelRow[], { with: recipes, system }: Recipes): ImportedEntry {
  const { project, version } = rows[0]!;
  const { packages, build, env } = recipeOf(project, version, recipes);
  const again = againOf(rows);
  return {
    ...common(name, rows[0]!),
    entry: {
      ...{ source: name, project, ...LIBRARIES[system] },
      ...{ lock: 'own', sameAs: 'first', retryFailed: '7d' },
      ...(again.length > 0 && { again }),
      ...(build.length > 0 && { requires: build }),
      ...axesOf(rows.map(({ target }) => target)),
      ...(packages.length > 0 && { packages }),
      ...(Object.keys(env).length > 0 && { env }),
    },
  };
}

/** A build of a wheel that ours has or had gets the next build number if it gives other bytes. All targets have the same one: a target may take
 * the wheel of another, and the number of one may be in use on the other. */
function againOf(rows: readonly WheelRow[]): readonly JsonObject[] {
  const due = rows.flatMap(({ target, rebuilds }) => (rebuilds === undefined ? [] : [{ target, ...rebuilds }]));
  const build = Math.max(1, ...due.map((one) => one.build));
  return due.map(({ target: { platform, python }, file, digest }) => ({ platform, python, file, digest, build }));
}

/** A wheel that links the libraries of its distribution has the tag `linux_x86_64`, which other indexes refuse. */
const LIBRARIES: Readonly<Record<WheelList['system'], JsonObject>> = {
  link: { repair: false, accept: { PLATFORM_TAG_REFUSED: 'the wheel is for this distribution alone' } },
  carry: { repair: { exclude: [] } },
};

type Pair = Pick<Target, 'platform' | 'python'>;

/** Keys of an entry that has these variants and no others. */
interface Axes {
  readonly platforms: readonly string[];
  readonly pythons: readonly string[];
  readonly exclude?: readonly Pair[];
}

function axesOf(pairs: readonly Pair[]): Axes & JsonObject {
  const platforms = [...new Set(pairs.map(({ platform }) => platform))].sort();
  const pythons = [...new Set(pairs.map(({ python }) => python))].sort();
  const has = (one: Pair): boolean =>
    pairs.some((pair) => pair.platform === one.platform && pair.python === one.python);
  const every = platforms.flatMap((platform) => pythons.map((python) => ({ platform, python })));
  const exclude = every.filter((one) => !has(one));
  return { platforms, pythons, ...(exclude.length > 0 && { exclude }) };
}

function pairsOf({ platforms, pythons, exclude = [] }: Axes): readonly Pair[] {
  const isOut = (platform: string, python: string): boolean =>
    exclude.some((pair) => pair.platform === platform && pair.python === python);
  return platforms.flatMap((platform) =>
    pythons.filter((python) => !isOut(platform, python)).map((python) => ({ platform, python })),
  );
}

/** Keys that decide what a wheel is, besides its recipe. Of others, such as `timeout`, the first entry's count. */
const BUILT_BY = ['source', 'project', 'cutoff', 'repair'];
const RECIPE = ['packages', 'env', 'requires'];
const recipeIn = (entry: JsonObject): JsonObject =>
  Object.fromEntries(RECIPE.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]])));

/** Returns two entries of one name, which two imports made, as one entry with the variants of both. An import without a recipe,
 * `cutoff` or repairs takes those of the other. Null if both have them and they differ. */
export function mergedEntry(first: ImportedEntry, second: ImportedEntry): ImportedEntry | null {
  const [one, other] = [first.entry, second.entry];
  if (first.section === 'sources') return canonical(one) === canonical(other) ? first : null;
  const differs = (key: string): boolean =>
    one[key] !== undefined && other[key] !== undefined && canonical(one[key]) !== canonical(other[key]);
  const recipes = [one, other].map((entry) => canonical(recipeIn(entry))).filter((text) => text !== '{}');
  if (BUILT_BY.some(differs) || new Set(recipes).size > 1) return null;
  const { exclude: _, ...both } = { ...other, ...one };
  const pairs = [one, other].flatMap((entry) => pairsOf(entry as unknown as Axes));
  const again = [one, other].flatMap((entry) => (entry['again'] as readonly JsonObject[] | undefined) ?? []);
  const distinct = [...new Map(again.map((text) => [canonical(text), text])).values()];
  return { ...first, entry: { ...both, ...(distinct.length > 0 && { again: distinct }), ...axesOf(pairs) } };
}

/** Recipes of the project and of the version together. */
export function recipeOf(project: string, version: string, recipes: WheelList['with']): WheelList['with'][string] {
  const mine = Object.entries(recipes).filter(([text]) => isMeant(text, project, version));
  return {
    packages: [...new Set(mine.flatMap(([, { packages }]) => packages))].sort(),
    build: [...new Set(mine.flatMap(([, { build }]) => build))].sort(),
    env: Object.assign({}, ...mine.map(([, { env }]) => env)) as Record<string, string>,
  };
}

/** The project of `name` or `name==version`. */
export const projectIn = (text: string): string => normalName(text.split('==')[0]!.trim());
