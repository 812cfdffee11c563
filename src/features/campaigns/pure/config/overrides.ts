import type { Complain } from '../../../../importers/file-problem.js';
import { readDoc } from '../../../../importers/pyyaml/read.js';
import type { SourceLocation } from '../../../../model/failure.js';
import { placedAt } from './document.js';
import { problems } from './errors.js';
import type { Said } from './merge.js';
import { isPath, readPath } from './path.js';

const LONGEST_NAME = 60;

/** An option is its own place: `--set service.port=1`. */
export const placeOfOverride = (text: string): SourceLocation => ({ file: `--set ${text.slice(0, LONGEST_NAME)}` });

/** Reads `PATH=YAML`. A quoted key may have `=` too. Null, with a complaint, if it is something else.
 * @param at position of all that it says */
export function readOverride(text: string, at: number, complain: Complain): Said | null {
  const signs = [...text.slice(0, 1_000).matchAll(/=/g)].map(({ index }) => index);
  const end = signs.find((sign) => isPath(readPath(text.slice(0, sign)))) ?? signs[0];
  if (end === undefined) {
    complain(problems.override(placeOfOverride(text), text));
    return null;
  }
  const path = text.slice(0, end);
  const doc = readDoc(text.slice(end + 1), placeOfOverride(path).file, (problem) =>
    complain({ ...problem, next: 'Correct the value behind =.' }),
  );
  return doc && { path, value: placedAt(doc.tree, at), at };
}
