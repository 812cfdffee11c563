import { z } from 'zod';
import { FEATURE_SCHEMAS } from '../../features/schemas.js';
import { fieldOf, together } from '../together.js';
import { Retries } from './frame.js';

/** Sections of each feature, by its name. */
export const SECTIONS_OF = fieldOf(FEATURE_SCHEMAS, 'sections');
/** Sections of features. */
export const OWN_SECTIONS = together('section', SECTIONS_OF);
const PLACES = together('place of the section', fieldOf(FEATURE_SCHEMAS, 'after'));
const CORE = ['sdists', 'wheels', 'jars', 'images', 'tests', 'steps', 'publish'] as const;
/** Sections of the core with retries. Sections of features are read by `entriesOf`. */
type Retried = (typeof CORE)[number];

/** Returns names of sections in order: those of features, which come last, move behind the one that they name. */
export const placed = (names: readonly string[]): readonly string[] =>
  Object.entries(PLACES as Readonly<Record<string, string>>)
    .filter(([name]) => names.includes(name))
    .reduce((all, [name, before]) => {
      const others = all.filter((other) => other !== name);
      return others.toSpliced(others.indexOf(before) + 1, 0, name);
    }, names);

interface Inner {
  readonly def: { readonly innerType?: Inner; readonly valueType?: Inner; readonly options?: readonly Inner[] };
  readonly shape?: object;
}
/** Whether entries of a section have `retry`. */
const hasRetry = ({ def, shape = {} }: Inner, isEntry = false): boolean =>
  (isEntry && 'retry' in shape) ||
  [def.innerType, def.valueType, ...(def.options ?? [])].some(
    (one) => one !== undefined && hasRetry(one, isEntry || one === def.valueType),
  );

export const RETRIED_SECTIONS = placed([
  ...CORE,
  ...Object.entries(OWN_SECTIONS).flatMap(([name, schema]) => (hasRetry(schema as unknown as Inner) ? [name] : [])),
]) as readonly Retried[];

/** `retry:` of the whole file: defaults for the entries of each section, and a total for all of them. */
export const RunRetries = z.strictObject({
  total: z
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .describe(
      'Further tries that all steps together may take; then steps hold. By default 100, and one for every 10 steps.',
    ),
  ...(Object.fromEntries(
    RETRIED_SECTIONS.map((section) => [section, Retries.optional().describe(`For all of ${section}.`)]),
  ) as Record<Retried, z.ZodOptional<typeof Retries>>),
});
