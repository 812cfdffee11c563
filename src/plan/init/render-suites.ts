import type { Suite, Suites } from '../../model/suite.js';
import { comment, literally, nameOf, scalar, list, type Sections } from './yaml.js';

const PROGRAMS: Readonly<Partial<Record<Suite['tool'], string>>> = { maven: 'mvn' };

/** Returns the tests of suites that use no Python. They run on the commit, and not on what is built. */
export function suiteSections(folders: readonly string[], suites: Suites): readonly Sections[] {
  const tests = folders.flatMap((folder) =>
    (suites[folder] ?? [])
      .filter(({ requires }) => requires === null)
      .flatMap((suite) =>
        suiteTest(folder, suite, [
          ...['in: host', 'needs: [source]', `tools: [${PROGRAMS[suite.tool] ?? suite.tool}]`, 'network: true'],
        ]),
      ),
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
  return [
    `  ${folder === '' ? tool : `${tool}-${nameOf(folder.replaceAll('/', '--'))}`}: ${comment(`from ${from}`, Infinity)}`,
    ...[...keys, `tree: ${list(tree.map(below))}`, `run: ${scalar(`${inside}${line}`)}`, proof].map(
      (key) => `    ${key}`,
    ),
  ];
}

const PYTEST = /(^|\s)pytest(?=\s|$)/;

/** Returns a line, and the key that says how it is known to have ended: a report of pytest, or a line of the output. */
function proved(tool: Suite['tool'], run: string): readonly [run: string, proof: string] {
  if (tool === 'pytest' && PYTEST.test(run))
    return [run.replace(PYTEST, '$1pytest --junitxml={out}/junit.xml'), 'result: junit.xml'];
  if (tool === 'maven') return [run, "expect: '[INFO] BUILD SUCCESS'"];
  return [`${run} && echo passed`, 'expect: passed'];
}
