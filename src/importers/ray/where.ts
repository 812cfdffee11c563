import { SlipwayFailure, type SourceLocation } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import { compileExpression } from '../../model/schema/expression.js';
import { type Complain, quoted } from '../file-problem.js';
import { asked } from './asked-errors.js';
import { attributesOf, TEST } from './shape.js';
import { attribute } from './test.js';

/** `attr:value` texts, ready to match. Values of one attribute are alternatives; every attribute must match. */
export type Filters = ReadonlyMap<string, readonly Matcher[]>;

interface Matcher {
  readonly text: string;
  readonly matches: (value: string) => boolean;
}

const ATTRIBUTES: readonly string[] = [...attributesOf(TEST), 'prefix'];

/** Attributes of filters that choose tests. The state is that after the last night. */
export const WHERE_ATTRIBUTES: readonly string[] = [...ATTRIBUTES, 'state'];

/** Reads filters. Complains of every one that no test could match. */
export function filtersOf(
  texts: readonly string[],
  at: (index: number) => SourceLocation | undefined,
  complain: Complain,
  attributes: readonly string[] = ATTRIBUTES,
): Filters {
  const filters = new Map<string, Matcher[]>();
  for (const [index, text] of texts.entries()) {
    const [, attr, value] = /^([^:]*):([^]*)$/.exec(text) ?? [];
    if (attr === undefined || value === undefined) complain(asked.noFilter(at(index), text));
    else if (!attributes.includes(attr)) complain(asked.unknownAttribute(at(index), attr, attributes));
    else {
      const matcher = attr === 'prefix' ? (name: string) => name.startsWith(value) : expression(value);
      if (typeof matcher === 'string') complain(asked.badExpression(at(index), value, matcher));
      else filters.set(attr, [...(filters.get(attr) ?? []), { text, matches: matcher }]);
    }
  }
  return filters;
}

/** Why a test does not match all filters: `its team is "data", and the filter team:core is not met`. Null if it does. */
export function mismatch(filters: Filters, keys: JsonObject): string | null {
  for (const [attr, matchers] of filters) {
    const name = attr === 'prefix' ? 'name' : attr;
    const values = textsOf(attribute(keys, name));
    if (values.some((value) => matchers.some(({ matches }) => matches(value)))) continue;
    const wanted = matchers.map(({ text }) => text).join(' or ');
    return `its ${name} is ${values.map(quoted).join(', ') || 'empty'}, and the filter ${wanted} is not met`;
  }
  return null;
}

/** An absent value is empty. Numbers and truths are their texts; one text of a list is enough. */
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [value === undefined || value === null ? '' : String(value)];

/** An expression that is anchored at the start only, like Python's `re.match`; or why RE2 refuses it. */
function expression(source: string): ((text: string) => boolean) | string {
  if (source.length > LONGEST) return `it has ${source.length} characters, and ${LONGEST} are allowed`;
  try {
    const compiled = compileExpression(`\\A(?:${fromPython(source)})`);
    return (text) => compiled.test(text);
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.first.message.replace(/^.*? can be used: /su, '');
    throw error;
  }
}

const LONGEST = 500;

/** RE2 writes the end of a text as `\z`, Python as `\Z`. It knows `(?P<name>…)`, `(?i)` and `\A` as Python does. */
const fromPython = (source: string): string =>
  source.replaceAll(/\\([^])/g, (whole, letter: string) => (letter === 'Z' ? '\\z' : whole));
