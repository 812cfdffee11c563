import { fail, type Problem } from '../../model/failure.js';
import type { Wheel } from '../../model/schema/sections/builds.js';
import type { Spot } from '../errors.js';
import type { Facts } from '../facts.js';
import type { ReadFile } from '../read/release-file.js';
import { fill } from '../text.js';
import { problems } from './errors.js';

/** The commit whose wheels are taken. */
export interface CommitOf {
  readonly commit: string;
  /** Null if no key names it. */
  readonly branch: string | null;
  /** Owner of a fork. Null for the repository itself. */
  readonly owner: string | null;
}

interface Places {
  readonly file: ReadFile;
  readonly name: string;
  readonly from: NonNullable<Wheel['from']>;
  readonly profile: Facts['profile'];
  readonly spot: Spot;
}

const AT = /^((?:https?|s3):\/\/[^\s/?#@]+\/|store:[A-Za-z0-9][A-Za-z0-9._-]*\/)[^\s?#]*$/;

/** Returns the address of the wheels of a commit, with `{python}` and the like left. Throws what is missing for it. */
export function placeOf({ file, name, from, profile, spot }: Places, { commit, branch, owner }: CommitOf): string {
  const row = profile.content.wheels[name];
  const text = owner === null ? from.at : row?.forks;
  if (text === undefined) throw fail(problems.noForks(spot, owner!, profile.name));
  if (file.content.release === undefined && text.includes('{version}')) throw fail(problems.noVersion(spot));
  const base = row?.address;
  const words: Record<string, string> = { commit };
  if (base !== undefined) words['wheels'] = base.replace(/\/+$/, '');
  if (branch !== null) words['branch'] = branch;
  if (owner !== null) words['owner'] = owner;
  const { text: at, unknown } = fill(text, words);
  const missing = faultOf(unknown);
  if (missing !== null) throw fail(missing);
  if (!AT.test(at) || !/(\.whl|\/)$/.test(at)) throw fail(problems.notAnAddress(spot, at));
  return at;

  function faultOf(words: readonly string[]): Problem | null {
    if (words.includes('wheels')) return problems.noAddress(spot, name, profile.name);
    return words.includes('branch') ? problems.noBranch(spot, commit) : null;
  }
}
