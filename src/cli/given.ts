import { fail } from '../model/failure.js';
import type { TagVariables } from '../model/plan.js';
import type { Input, Option } from './command.js';
import { notForATag } from './errors.js';

/** Options for the variables of image tags. A plan never reads a clock or an environment. */
export const GIVEN_OPTIONS = [
  { flags: '--schedule <name>', help: 'what starts it, for tags of images: nightly' },
  { flags: '--build <id>', help: 'build that it belongs to, for tags of images' },
  { flags: '--pull <number>', help: 'pull request that it is of, for tags of images' },
] as const satisfies readonly Option[];

const PATTERNS = { schedule: /^[A-Za-z0-9_.-]{1,60}$/, build: /^[A-Za-z0-9_.-]{1,60}$/, pull: /^\d{1,12}$/ } as const;

export function givenIn(options: Input['options']): TagVariables {
  const said = (Object.keys(PATTERNS) as (keyof TagVariables)[]).flatMap((name) => {
    const value = options[name];
    if (typeof value !== 'string') return [];
    if (!PATTERNS[name].test(value)) throw fail(notForATag(name, value));
    return [[name, value] as const];
  });
  return Object.fromEntries(said);
}
