import { canonical } from '../../model/json.js';
import type { PureBuild } from '../../model/pure-build.js';
import { parseWheelName, type WheelName } from '../../model/python/file-name.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import type { ImportFacts } from '../asks.js';
import { recipeOf } from './entries.js';
import type { Rules, Verdict } from './verdict.js';
import type { Want } from './wanted.js';

/** The facts that `pure: skip` judges by. */
export interface Purity {
  /** Builds that gave pure wheels, by digest of the sdist. */
  readonly builds: ImportFacts['pure'];
  readonly recipes: WheelList['with'];
  /** Packages that bindep files name, by platform. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
}

/** Returns the verdict about a build whose wheel is known to be pure. Null if it is not known: then it is built.
 * @param built the verdict without that rule */
export function skippedAs(want: Want, built: Verdict, { purity, ours }: Rules): Verdict | null {
  if (purity === null || built.verdict !== 'build') return null;
  const { version, sha256 = '' } = built;
  const { target, wanted } = want;
  const recipe = recipeOf(wanted.project, version, purity.recipes);
  const packages = [...recipe.packages, ...(purity.packages[target.platform] ?? [])];
  const known = (Object.hasOwn(purity.builds, sha256) ? purity.builds[sha256]! : []).find(
    (build) => fits(build, want) && isBuiltBy(build, { ...recipe, packages }),
  );
  const listed = ours({ project: wanted.project, version, target });
  if (known === undefined || (listed !== null && !isPure(parseWheelName(listed.file)))) return null;
  return { version, verdict: 'left out', because: `\`pure\` is skip, and an earlier build gave ${known.file}` };
}

const isPure = (name: WheelName | null): boolean => name?.platforms.every((tag) => tag === 'any') === true;

function fits({ file }: PureBuild, { target }: Want): boolean {
  const name = parseWheelName(file);
  return name !== null && isPure(name) && wheelFits(name, target.tags);
}

/** A build of another recipe may find a compiler or a library that this one lacked, and give another wheel. */
function isBuiltBy({ requires, env, packages }: PureBuild, recipe: ReturnType<typeof recipeOf>): boolean {
  const had = new Set(packages);
  const isSame = canonical(requires.toSorted()) === canonical(recipe.build.toSorted());
  return isSame && canonical(env) === canonical(recipe.env) && recipe.packages.every((name) => had.has(name));
}
