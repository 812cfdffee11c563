import { RE2JS } from 're2js';
import { fail } from '../failure.js';
import { expressionRefused, expressionTooCostly } from './errors.js';

/** A regular expression of a release file. RE2 evaluates it in time linear in the text's length. */
export interface Expression {
  test(text: string): boolean;
  /** Returns the first match and its groups, null for a group without a match. Null if nothing matches. */
  match(text: string): readonly (string | null)[] | null;
}

export interface ExpressionOptions {
  /** Makes `^` and `$` match at each line. */
  readonly lines?: boolean;
  /** Matches only the whole text. */
  readonly whole?: boolean;
}

/** Limit of an expression's instructions. `[0-9a-f]{40}` has forty. */
const LARGEST_PROGRAM = 1_000;
/** Limit of instructions times characters: three seconds at most on a slow machine, milliseconds for a usual file. */
const MOST_WORK = 20_000_000;

/** Compiles an expression. Throws EXPRESSION_REFUSED for syntax that RE2 lacks. Matching throws EXPRESSION_TOO_COSTLY. */
export function compileExpression(
  source: string,
  { lines = false, whole = false }: ExpressionOptions = {},
): Expression {
  const pattern = compiled(whole ? `^(?:${source})$` : source, lines);
  if (typeof pattern === 'string') throw fail(expressionRefused(source, pattern));
  const size = pattern.programSize();
  const affordable = (text: string): string => {
    if (text.length * size > MOST_WORK) throw fail(expressionTooCostly(source, text.length));
    return text;
  };
  return {
    test: (text) => pattern.test(affordable(text)),
    match(text) {
      const matcher = pattern.matcher(affordable(text));
      if (!matcher.find()) return null;
      return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group));
    },
  };
}

/** Returns the syntax error of an expression as text. Null if it compiles. */
export function expressionFault(source: string): string | null {
  const pattern = compiled(source, true);
  return typeof pattern === 'string' ? pattern : null;
}

/** Returns the pattern, or the syntax error as text. */
function compiled(source: string, lines: boolean): RE2JS | string {
  try {
    const flags = RE2JS.LOOKBEHINDS | (lines ? RE2JS.MULTILINE : 0);
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), flags);
    const size = pattern.programSize();
    return size > LARGEST_PROGRAM ? `it has ${size} instructions, and ${LARGEST_PROGRAM} are allowed` : pattern;
  } catch (error) {
    return (error as Error).message.replace(/^error parsing regexp: /, '');
  }
}

/** Converts a text with `*` for any characters into an expression: `release/*`.
 * @param star expression for `*` */
export const starExpression = (glob: string, star = '[^/]*'): string => glob.split('*').map(RE2JS.quote).join(star);
