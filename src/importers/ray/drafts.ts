import { placed, type Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { ImportFacts } from '../asks.js';
import type { At } from '../importer.js';
import { asked } from './asked-errors.js';
import { check, type Checking } from './check.js';
import { openWork } from '../work.js';
import { type Draft, MOST_TESTS, placeOf, testsIn } from './definitions.js';
import type { Complain } from '../file-problem.js';
import { problems } from './errors.js';
import { readDoc } from '../pyyaml/read.js';
import { TEST } from './shape.js';
import { type Dict, isDict, jsonOf, merged, sizeOf, treeOf, valueAt, without } from '../pyyaml/tree.js';
import { filtersOf, mismatch } from './where.js';

/** A change of upstream's keys, for all tests or for those that match. */
export interface Change {
  readonly match?: readonly string[] | undefined;
  readonly set: JsonObject;
}

/** Upstream's own files become 30,000 values. */
const MOST_VALUES = 1_000_000;

/** All tests of the files, changed and checked. A test with a mistake is complained of and not returned. */
export function draftsOf(
  { files, change, at }: { files: readonly string[]; change: readonly Change[]; at: At },
  texts: ImportFacts['text'],
  complain: Complain,
): readonly Draft[] {
  const work = openWork(MOST_VALUES, 'values of tests', complain);
  const drafts = files.flatMap((file) => {
    const text = texts[file];
    const doc = typeof text === 'string' ? readDoc(text, file, complain) : null;
    if (text === null) complain(problems.fileAbsent(at(['files', files.indexOf(file)]) ?? { file }, file));
    return doc === null ? [] : testsIn(doc, complain, work);
  });
  tellTwins(drafts, complain);
  const own = drafts.slice(0, MOST_TESTS);
  const size = own.reduce((sum, { dict }) => sum + sizeOf(dict), 0);
  if (!work(change.length * size, at(['change']) ?? { file: files[0]! })) return [];
  return checked(changed(own, change, at, complain), complain);
}

function tellTwins(drafts: readonly Draft[], complain: Complain): void {
  const first = new Map<string, Draft>();
  for (const draft of drafts) {
    const other = first.get(draft.name);
    if (other === undefined) first.set(draft.name, draft);
    else complain(problems.nameTwice(placeOf(draft, 'name'), draft.name, placeOf(other)));
  }
}

function changed(drafts: readonly Draft[], changes: readonly Change[], at: At, complain: Complain): readonly Draft[] {
  let all = drafts;
  for (const [index, { match = [], set }] of changes.entries()) {
    const filters = filtersOf(match, (no) => at(['change', index, 'match', no]), complain);
    const over = treeOf(set) as Dict;
    let count = 0;
    all = all.map((draft) => {
      if (filters.size > 0 && mismatch(filters, jsonOf(draft.dict) as JsonObject) !== null) return draft;
      count += 1;
      return { ...draft, dict: merged(draft.dict, over) };
    });
    if (count === 0 && drafts.length > 0) complain(asked.changeIdle(at(['change', index]), match));
  }
  return all;
}

/** After so many problems, later ones teach nothing new. */
const MOST_PROBLEMS = 100;

function checked(drafts: readonly Draft[], complain: Complain): readonly Draft[] {
  const told = new Set<string>();
  return drafts.flatMap((draft) => {
    if (told.size >= MOST_PROBLEMS) return [];
    let isSound = true;
    const tell = (problem: Problem): void => {
      isSound = false;
      // Tests of one entry share its mistakes.
      const key = `${problem.code} ${placed(problem.place!)}:${problem.place!.column} ${problem.message.replace(draft.name, '')}`;
      if (!told.has(key) && told.size < MOST_PROBLEMS) complain(problem);
      told.add(key);
    };
    const idle: string[] = [];
    const checking = (dict: Dict): Checking => ({
      name: draft.name,
      place: (path) => placeOf({ ...draft, dict }, ...path),
      complain: tell,
    });
    const [full, smoke] = formsOf(draft.dict);
    check(full!, TEST, checking(full!));
    // Upstream validates no smoke test, and its own files have keys there that nothing reads.
    if (smoke) check(smoke, TEST, { ...checking(smoke), ignore: (path) => idle.push(path.join('.')) });
    return isSound ? [{ ...draft, idle }] : [];
  });
}

/** The test in full and, if it has one, with its smoke test merged over it. */
export function formsOf(dict: Dict): readonly Dict[] {
  const smoke = valueAt(dict, ['smoke_test']);
  return isDict(smoke) ? [dict, merged(without(dict, 'smoke_test'), smoke)] : [dict];
}
