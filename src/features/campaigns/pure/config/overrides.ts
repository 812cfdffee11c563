import { readDoc } from '../../../../importers/pyyaml/read.js';
import type { Complain } from '../../../../importers/file-problem.js';
import { problems } from './errors.js';
import type { Said } from './merge.js';
import { isPath, readPath } from './path.js';

const LONGEST_NAME = 60;

/** Reads `PATH=YAML`. A quoted key may have `=` too. Null, with a complaint, if it is something else. */
export function readOverride(text: string, complain: Complain): Said | null {
  const signs = [...text.slice(0, 1_000).matchAll(/=/g)].map(({ index }) => index);
  const end = signs.find((at) => isPath(readPath(text.slice(0, at)))) ?? signs[0];
  const place = { file: `--set ${text.slice(0, LONGEST_NAME)}` };
  if (end === undefined) {
    complain(problems.override(place, text));
    return null;
  }
  const path = text.slice(0, end);
  const doc = readDoc(text.slice(end + 1), `--set ${path.slice(0, LONGEST_NAME)}`, (problem) =>
    complain({ ...problem, next: 'Correct the value behind =.' }),
  );
  return doc && { path, value: doc.tree, from: { place }, placeOf: () => place };
}
