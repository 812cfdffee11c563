import { fail } from '../model/failure.js';
import { LABEL_FORM, LONGEST_LABEL } from '../model/label.js';
import type { Given } from '../model/plan.js';
import type { Input, Option } from './command.js';
import { notALabel, notForATag } from './errors.js';

/** Options for the variables of image tags and for the label of a pipeline. Besides the label words, a plan never reads a clock or an
 * environment. */
export const GIVEN_OPTIONS = [
  { flags: '--label <label>', help: 'label of a pipeline: a text, commit, date or minute (default: as its file says)' },
  { flags: '--schedule <name>', help: 'what starts it, for tags of images: nightly' },
  { flags: '--build <id>', help: 'build that it belongs to, for tags of images' },
  { flags: '--pull <number>', help: 'pull request that it is of, for tags of images' },
] as const satisfies readonly Option[];

const PATTERNS = { schedule: /^[A-Za-z0-9_.-]{1,60}$/, build: /^[A-Za-z0-9_.-]{1,60}$/, pull: /^\d{1,12}$/ } as const;

export function givenIn(options: Input['options']): Given {
  const said = (Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]).flatMap((name) => {
    const value = options[name];
    if (typeof value !== 'string') return [];
    if (!PATTERNS[name].test(value)) throw fail(notForATag(name, value));
    return [[name, value] as const];
  });
  return { ...Object.fromEntries(said), ...labelIn(options) };
}

function labelIn({ label }: Input['options']): Pick<Given, 'label'> {
  if (typeof label !== 'string') return {};
  if (!LABEL_FORM.test(label) || label.length > LONGEST_LABEL) throw fail(notALabel(label));
  return { label };
}
