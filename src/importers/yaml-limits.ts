import { Parser, type CST } from 'yaml';
import { lineTooDeep } from '../model/yaml-depth.js';

/** A parser makes an error with its stack of each token that has no place; a file of nothing else takes seconds. */
const MOST_ERRORS = 1_000;

export interface Refused {
  readonly why: string;
  readonly line?: number;
}

/** Tokens of a YAML text. Refuses a text on which the parser would take quadratic time or overflow its stack.
 * @param newLine called with the position of each line */
export function tokensOf(
  text: string,
  mostCharacters: number,
  newLine?: (at: number) => void,
): readonly CST.Token[] | Refused {
  if (text.length > mostCharacters)
    return { why: `the file has ${text.length} characters, and at most ${mostCharacters} are read` };
  const deep = lineTooDeep(text);
  if (deep !== null) return { why: 'brackets or indents are nested more than 40 deep', line: deep };
  const tokens: CST.Token[] = [];
  let errors = 0;
  for (const token of new Parser(newLine).parse(text)) {
    if (token.type === 'error' && (errors += 1) > MOST_ERRORS) return { why: 'brackets do not match' };
    tokens.push(token);
  }
  return tokens;
}
