import type { CommitFiles } from '../../model/checkout.js';
import type { Suite } from '../../model/suite.js';
import { suitesOf } from '../suites/suites.js';
import { comment, literally, nameOf, scalar, list, type Sections } from './yaml.js';

/** Returns the suites of a folder that use Python, or those that do not. The folder's name is to be a word of a shell. */
export const proposed = (path: string, checkout: CommitFiles, isPython: boolean): readonly Suite[] =>
  /^[\w./-]*$/.test(path) ? suitesOf({ path, checkout }).filter((one) => (one.requires !== null) === isPython) : [];

/** Returns the tests of suites that use no Python. They run on the commit, and not on what is built. */
export function suiteSections(folders: readonly string[], checkout: CommitFiles): readonly Sections[] {
  const tests = folders.flatMap((folder) =>
    proposed(folder, checkout, false).flatMap((suite) => {
      const program = suite.tool === 'maven' ? 'mvn' : suite.tool;
      return suiteTest(folder, suite, ['in: host', 'needs: [source]', `tools: [${program}]`, 'network: true']);
    }),
  );
  const about = "The project's own suites, run on the commit; nothing is published before all have passed.";
  return tests.length === 0 ? [] : [{ tests: [comment(about), 'tests:', ...tests] }];
}

/** Returns an entry that runs a suite, with a comment of its origin: a person is to read the line of a foreign file. */
export function suiteTest(
  folder: string,
  { tool, run, from, tree }: Suite,
  keys: readonly string[],
): readonly string[] {
  const below = (path: string): string => [folder, path].filter((part) => !['', '.'].includes(part)).join('/') || '.';
  const inside = folder === '' ? '' : `cd ${folder} && `;
  const [line, proof] = proved(tool, literally(run));
  const name = folder === '' ? tool : `${tool}-${nameOf(folder.replaceAll('/', '--'))}`;
  const lines = [...keys, `tree: ${list(tree.map(below))}`, `run: ${scalar(`${inside}${line}`)}`, proof];
  return [`  ${name}: ${comment(`from ${from}`, Infinity)}`, ...lines.map((one) => `    ${one}`)];
}

const PYTEST = /(^|\s)pytest(?=\s|$)/;

/** Returns a line, and the key that says how it is known to have ended: a report of pytest, or a line of the output. */
function proved(tool: Suite['tool'], run: string): readonly [run: string, proof: string] {
  if (tool === 'pytest' && PYTEST.test(run))
    return [run.replace(PYTEST, '$1pytest --junitxml={out}/junit.xml'), 'result: junit.xml'];
  if (tool === 'maven') return [run, "expect: '[INFO] BUILD SUCCESS'"];
  return [`${run} && echo passed`, 'expect: passed'];
}
