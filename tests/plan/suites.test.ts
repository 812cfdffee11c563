import { parse } from 'smol-toml';
import type { JsonObject } from '../../src/model/json.js';
import type { Suite, Suites } from '../../src/model/suite.js';
import { suiteTest } from '../../src/plan/init/render-suites.js';
import { scalar } from '../../src/plan/init/yaml.js';
import { notRun, suitesOf } from '../../src/plan/suites/suites.js';
import { planOf, HEAD } from './a-plan.js';

/** Suites of a folder with these files. */
function found(files: Readonly<Record<string, string>>): readonly Suite[] {
  const toml = files['pyproject.toml'];
  const parsed: Record<string, JsonObject> = toml === undefined ? {} : { 'pyproject.toml': parse(toml) as JsonObject };
  return suitesOf({ path: '', checkout: { paths: Object.keys(files), texts: files, toml: parsed, broken: [] } });
}
const shown = (suites: readonly Suite[]) => suites.map(({ run }) => run);
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
  [
    'a script of npm behind others',
    { 'package.json': '{"scripts":{"a":"x {}","test":"jest"}}' },
    ['npm install && npm test'],
  ],
  ['a package.json that is no JSON', { 'package.json': '{"scripts":{"test":"jest"}' }, []],
  [
    'settings with CRLF',
    { ...TEST, 'setup.cfg': '[tool:pytest]\r\ntestpaths =\r\n  tests\r\n  more\r\n', 'more/a.py': '' },
    ['pytest tests more'],
  ],
  ['Rust without tests', { 'Cargo.toml': '', 'src/lib.rs': 'fn a() {}' }, []],
  ['Rust with tests', { 'Cargo.toml': '', 'src/lib.rs': '#[cfg(test)]\nmod t {}' }, ['cargo test']],
])('given %s, then its suites are found', (_, files, wanted) => {
  expect(shown(found(files))).toEqual(wanted);
});

const REQUIREMENTS = { 'requirements/tests.txt': '', 'more.txt': '', 'pins.txt': '' };

test.each([
  ['apart', '-r requirements/tests.txt', ['requirements/tests.txt'], []],
  ['in one word', '-rrequirements/tests.txt', ['requirements/tests.txt'], []],
  ['by a long option', '--requirement=more.txt\n  --constraint pins.txt', ['more.txt'], ['pins.txt']],
  ['by the folder of tox', '-r{toxinidir}/more.txt\n  -c {tox_root}/pins.txt', ['more.txt'], ['pins.txt']],
  ['for tests alone', 'test: -r ./more.txt\n  lint: -r pins.txt', ['more.txt'], []],
  ['outside the commit', '-r ../more.txt\n  -r gone.txt\n  -c https://x/pins.txt\n  -r{env:F}', [], []],
])(
  'given that tox.ini names files %s, then the lock of its tests reads those of the commit',
  (_, deps, files, pins) => {
    const tox = `[testenv]\ndeps =\n  pytest-cov\n  ${deps}\ncommands = pytest\n`;
    expect(found({ ...TEST, ...REQUIREMENTS, 'tox.ini': tox })).toMatchObject([
      { requires: ['pytest-cov', 'pytest'], in: files, constraints: pins },
    ]);
  },
);

test.each([
  ['a group', '[dependency-groups]\ntest = ["pytest"]\n', 'group test'],
  ['an extra', '[project.optional-dependencies]\ntest = ["pytest"]\n', 'extra test'],
  [
    'an extra beside a group of its name',
    '[dependency-groups]\ntest = []\n[project.optional-dependencies]\ntest = ["pytest"]\n',
    'extra test',
  ],
])('given %s with pytest, then the suite names it', (_, text, from) => {
  expect(found({ ...TEST, 'pyproject.toml': text })).toMatchObject([{ from, requires: ['pytest'] }]);
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

test('given a chain of 1,000 groups, then it is read to a limit', () => {
  const groups = Array.from({ length: 1000 }, (_, at) => `g${at} = [{ include-group = "g${at + 1}" }, "p${at}"]`);
  const [suite] = found({
    ...TEST,
    'pyproject.toml': `[dependency-groups]\n${groups.join('\n')}\ndev = ["pytest", { include-group = "g0" }]\n`,
  });
  expect(suite!.requires).toHaveLength(200);
});

test('given a group and an extra of one name, and extras of the project, then all are read and the project is not', () => {
  const [suite] = found({
    ...TEST,
    'pyproject.toml':
      '[project]\nname = "My_Boat"\n[project.optional-dependencies]\ntest = ["a", "my-boat[Fast_Er]"]\nfast-er = ["b"]\n[dependency-groups]\ntest = ["pytest", "my.boat[test]"]\n',
  });
  expect(suite!.requires).toEqual(['pytest', 'a', 'b']);
});

test('given testpaths that name a file, then the suite has its name', () => {
  expect(found({ 'a/check.py': '', 'pytest.ini': '[pytest]\ntestpaths = a/check.py\n' })).toMatchObject([
    { name: 'a/check.py (pytest)', run: 'pytest a/check.py' },
  ]);
});

test('given many testpaths and many files, then 50 of the paths are read', () => {
  const words = Array.from({ length: 500 }, (_, at) => `d${at}`);
  const files = Object.fromEntries(words.map((word) => [`${word}/x.py`, '']));
  const [suite] = found({ ...files, 'pytest.ini': `[pytest]\ntestpaths = ${words.join(' ')}\n` });
  expect(suite!.tree.filter((path) => path !== 'pytest.ini')).toEqual(words.slice(0, 50));
});

describe('what a release does not run', () => {
  const pytest = found(TEST);
  const maven = found({ 'pom.xml': '', 'src/test/A.java': '' });
  const others = found({ 'go.mod': '', 'a_test.go': '', 'package.json': '{"scripts":{"test":"x"}}' });
  const rust = found({ 'Cargo.toml': '', 'tests/a.rs': '' });
  const noticed = (run: string, suites: Suites) =>
    planOf(
      `${HEAD.replace(/source: .*/, 'source: { git: . }')}tests: { own: { in: host, needs: [source], run: '${run}', expect: ok } }\n`,
      { git: { commit: 'a'.repeat(40), branch: null, epoch: 1, files: {}, suites } },
    ).notices;
  const top = { '': [...pytest, ...maven] };
  const two = { a: pytest, b: pytest };

  test.each<[string, Suites, string | null]>([
    [
      'true',
      { '': [...pytest, ...maven, ...others], a: rust },
      'tests/ (pytest), src/test (Maven), go test, npm test, 1 more',
    ],
    ['python -m pytest -q', top, 'src/test (Maven)'],
    ['tox -e a,b,c && ./mvnw -B verify', top, null],
    ['pip install pytest', { '': pytest }, 'tests/ (pytest)'],
    ['pip install pytest && .venv/bin/pytest', { '': pytest }, null],
    ['mvn -DskipTests install', { '': maven }, 'src/test (Maven)'],
    ['mvn -Dmaven.test.skip=true package', { '': maven }, 'src/test (Maven)'],
    ['mvn -Da=test -D b=verify clean', { '': maven }, 'src/test (Maven)'],
    ['mvn -DskipTests=false package', { '': maven }, null],
    ['cd a && pytest', two, 'tests/ (pytest) in b'],
    ['pytest a/tests ./b', two, null],
    ['pytest', two, 'tests/ (pytest) in a, tests/ (pytest) in b'],
    ['cd a/b && pytest', { '': pytest, a: pytest, 'a/b': pytest }, 'tests/ (pytest), tests/ (pytest) in a'],
    ['pytest', { a: pytest }, null],
    [`${'cargo '.repeat(30_000)}`, { '': rust }, 'cargo test'],
    [`${'mvn '.repeat(30_000)}`, { '': maven }, 'src/test (Maven)'],
    ['cargo +stable test --locked', { '': rust }, null],
  ])('given a test that runs few suites (row %#), then the plan says so in one sentence', (run, suites, left) => {
    const wanted = { level: 'warning', code: 'SUITE_NOT_RUN', why: `no line names ${left}` };
    expect(noticed(run, suites)).toEqual(left === null ? undefined : [expect.objectContaining(wanted)]);
  });

  test('given no suites, then the plan has no word on them', () => {
    expect(noticed('true', {})).toBeUndefined();
    expect(notRun({}, { tests: {}, steps: {}, jars: {}, wheels: {} })).toEqual([]);
  });
});

test.each([
  [
    'coverage run --source=pytest-foo -m pytest',
    'coverage run --source=pytest-foo -m pytest --junitxml={out}/junit.xml',
  ],
  ['pytest-3 tests', 'pytest-3 tests && echo passed'],
])('given the line %j, then init proposes %j', (run, wanted) => {
  const suite = { ...found(TEST)[0]!, run };
  expect(suiteTest('', suite, []).join('\n')).toContain(`run: ${scalar(wanted)}`);
});

test('given folders whose names differ by a slash, then their tests have different names', () => {
  const [suite] = found(TEST);
  expect(suiteTest('a/b', suite!, [])[0]).not.toBe(suiteTest('a-b', suite!, [])[0]);
});
