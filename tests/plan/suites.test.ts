import { parse } from 'smol-toml';
import type { JsonObject } from '../../src/model/json.js';
import type { Suite } from '../../src/model/suite.js';
import { notRun, suitesOf } from '../../src/plan/suites/suites.js';
import { planOf, HEAD } from './a-plan.js';

/** Suites of a folder with these files. */
function found(files: Readonly<Record<string, string>>): readonly Suite[] {
  const toml = files['pyproject.toml'];
  return suitesOf({
    paths: Object.keys(files),
    texts: files,
    toml: toml === undefined ? {} : { 'pyproject.toml': parse(toml) as JsonObject },
  });
}
const shown = (suites: readonly Suite[]) => suites.map(({ name, run }) => (run === null ? name : run));
const TEST = { 'tests/test_skiff.py': '' };

test.each<[string, Record<string, string>, readonly string[]]>([
  ['only a folder of tests', TEST, ['pytest tests']],
  [
    'settings in pytest.ini',
    { ...TEST, 'pytest.ini': '[pytest]\ntestpaths =\n    # two\n    tests ./b\n    c/\n', 'c/x.py': '' },
    ['pytest tests c'],
  ],
  [
    'settings in setup.cfg',
    { 'setup.cfg': '[tool:pytest]\ntestpaths = checks\n', 'checks/a.py': '' },
    ['pytest checks'],
  ],
  ['paths that lead out', { ...TEST, 'pytest.ini': '[pytest]\ntestpaths = ../other $(x) *\n' }, ['pytest tests']],
  ['tests inside the package', { 'src/skiff/tests/test_a.py': '' }, ['pytest --pyargs skiff']],
  [
    'a line of tox',
    {
      ...TEST,
      'tox.ini': '[testenv]\ncommands =\n  {envpython} -m pytest \\\n  {posargs:-n auto} {toxinidir}/tests\n',
    },
    ['python -m pytest    -n auto ./tests'],
  ],
  ['a line that needs tox', { ...TEST, 'tox.ini': '[testenv]\ncommands = pytest {[base]args}\n' }, ['pytest tests']],
  [
    'other lines of tox',
    { ...TEST, 'tox.ini': '[testenv]\ncommands =\n  make check\n  python -m unittest\n' },
    ['make check && python -m unittest'],
  ],
  [
    'environments of tox',
    { 'tox.ini': '[tox]\nenvlist = py3{9-14}, py, pypy3-x, py3.14t, docs,\n  type-{a,b}\n' },
    ['tox -e docs'],
  ],
  ['Maven with modules', { 'pom.xml': '', 'hull/src/test/java/A.java': '' }, [expect.stringMatching(/^mvn .* test$/)]],
  [
    'go and npm',
    { 'go.mod': '', 'a/b_test.go': '', 'package.json': '{"scripts":{"test":"jest"}}', 'package-lock.json': '' },
    ['go test ./...', 'npm ci && npm test'],
  ],
  [
    'no real script of npm',
    { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"},"x":{"test":"1"}}' },
    [],
  ],
  ['Rust without tests', { 'Cargo.toml': '', 'src/lib.rs': 'fn a() {}' }, []],
  ['Rust with tests', { 'Cargo.toml': '', 'src/lib.rs': '#[cfg(test)]\nmod t {}' }, ['cargo test']],
])('given %s, then its suites are found', (_, files, wanted) => {
  expect(shown(found(files))).toEqual(wanted);
});

test('given groups that include each other, then each is read once', () => {
  const groups = Array.from(
    { length: 60 },
    (_, at) => `g${at} = [${Array.from({ length: 60 }, (__, to) => `{ include-group = "g${to}" }`)}, "p${at}"]`,
  );
  const [suite] = found({
    ...TEST,
    'pyproject.toml': `[dependency-groups]\n${groups.join('\n')}\ndev = ["pytest", { include-group = "g0" }]\n`,
  });
  expect(suite).toMatchObject({ from: 'group dev' });
  expect(suite!.requires).toHaveLength(61);
});

test.each([
  'a = \\\n'.repeat(40_000),
  `env_list = ${'{,'.repeat(100_000)}`,
  `commands = ${'{env:A:'.repeat(30_000)}`,
  `deps =${' '.repeat(250_000)}x`,
  'commands =\n'.repeat(20_000),
])('given hostile text of tox, then it is read in linear time', (text) => {
  // In quadratic time each takes minutes.
  expect(found({ ...TEST, 'tox.ini': `[testenv]\n${text}\n[tox]\n${text}` })).not.toEqual([]);
});

describe('what a release does not run', () => {
  const suites = found({ ...TEST, 'pom.xml': '', 'src/test/A.java': '', 'tox.ini': '[tox]\nenvlist = a, b, c\n' });
  const git = { commit: 'a'.repeat(40), branch: null, epoch: 1, files: {}, suites };
  const text = (run: string): string =>
    `${HEAD.replace(/source: .*/, 'source: { git: . }')}tests: { own: { in: host, needs: [source], run: '${run}', expect: ok } }\n`;

  test.each([
    ['true', 'not run: tests/ (pytest), src/test (Maven), tox -e a, tox -e b, 1 more'],
    ['python -m pytest -q', 'not run: src/test (Maven), tox -e a, tox -e b, tox -e c'],
    ['tox -e a,b,c', 'not run: src/test (Maven)'],
    ['tox -e a,b,c && ./mvnw -B verify', null],
  ])('given a test that runs %j, then the plan says so in one sentence', (run, why) => {
    expect(planOf(text(run), { git }).notices?.map((one) => one.why) ?? null).toEqual(why && [why]);
  });

  test('given no suites, then the plan has no word on them', () => {
    expect(Object.keys(planOf(text('true'), { git: { ...git, suites: [] } }))).not.toContain('notices');
    expect(notRun([], { tests: {}, steps: {}, jars: {}, wheels: {} })).toEqual([]);
  });
});
