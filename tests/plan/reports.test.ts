import { Profile } from '../../src/model/schema/profile.js';
import type { Facts } from '../../src/plan/facts.js';
import type { Given } from '../../src/model/plan.js';
import { HEAD, idsOf, planOf, problemsOf, stepOf } from './a-plan.js';

const profile = (more: object = {}): Partial<Facts> => ({
  profile: {
    name: 'night',
    content: Profile.parse({
      rehearsal: false,
      targets: {
        results: { kind: 's3', address: 's3://results/ray', endpoint: 'http://127.0.0.1:7070', password: '$S3' },
        index: { kind: 'python', address: 'http://127.0.0.1:9/' },
      },
      reports: { table: { address: '$DATABASE' } },
      ...more,
    }),
  },
});
const STANDINGS = 'standings: { branch: master }\n';
const TESTS = `deps: { ray: { requires: ['ray[default]'] } }
clusters: { one: { manager: local } }
tests:
  spread: { needs: ['deps/ray'], cluster: one, run: t, pythons: [cp311] }
`;
const FILE = (reports: string, more = STANDINGS): string => `${HEAD}${TESTS}${more}reports:\n  ${reports}\n`;
const ISSUES = 'issues: { kind: github, repository: skiff/boat, token: $GITHUB_TOKEN }';

test('given reports, then each is a step that runs after the standings only', () => {
  const made = planOf(
    FILE(`rows: { kind: rows, to: results }\n  ${ISSUES}\n  table: { kind: postgres, table: boats }`),
    profile(),
  );
  const steps = ['rows', 'issues', 'table'].map((name) => stepOf(made, `reports/${name}`));
  expect(steps.map(({ params }) => params)).toMatchObject([
    { kind: 'rows', target: { name: 'results', extra: { path: 'skiff/1.0/{file}' } } },
    {
      ...{ kind: 'github', address: 'https://api.github.com', repository: 'skiff/boat', token: '$GITHUB_TOKEN' },
      ...{ blocker: null, branch: 'master' },
    },
    { kind: 'postgres', url: '$DATABASE', table: 'boats' },
  ]);
  for (const { needs, wants, after, onFailure } of steps) {
    expect([needs, wants, onFailure]).toEqual([[], [], 'tell']);
    expect(after).toContain('report/standings');
  }
  expect(stepOf(made, 'report/run').after).toContain('reports/rows');
});

test('given a file without standings, then rows are reported after the tests', () => {
  const made = planOf(FILE('rows: { kind: rows, to: results }', ''), profile());
  expect(stepOf(made, 'reports/rows').after).toContain('tests/spread/cp311/linux-x86_64');
});

test('given the address of a GitHub server in the profile, then it is used', () => {
  const own = { reports: { issues: { address: 'https://github.example/api/v3/' } } };
  const { params } = stepOf(planOf(FILE(ISSUES), profile(own)), 'reports/issues');
  expect(params).toMatchObject({ address: 'https://github.example/api/v3' });
});

test.each([
  ['an unknown kind', FILE('x: { kind: mail }'), 'reports.x.kind', 'rows, github or postgres'],
  ['a token in the file', FILE('x: { kind: github, repository: a/b, token: ghp_secret }'), 'reports.x.token', ''],
  [
    'a repository without owner',
    FILE('x: { kind: github, repository: b, token: $T }'),
    'reports.x.repository',
    'owner/name',
  ],
  ['a table with quotes', FILE(`x: { kind: postgres, table: 'a"b' }`), 'reports.x.table', 'lower-case'],
  [
    'a target that the profile lacks',
    FILE('x: { kind: rows, to: nowhere }'),
    'reports.x.to',
    'no address for "nowhere"',
  ],
  ['a target of another kind', FILE('x: { kind: rows, to: index }'), 'reports.x.to', 'kind s3'],
  ['issues without standings', FILE(ISSUES, ''), 'reports.issues.kind', 'standings'],
  [
    'a second report of issues',
    FILE(`${ISSUES}\n  more: { kind: github, repository: skiff/oars, token: $T }`),
    'reports.more',
    'reports.issues already',
  ],
  ['a database that the profile lacks', FILE('x: { kind: postgres, table: t }'), 'reports.x', 'no address'],
])('given %s, then the plan is refused at its line', (_what, text, path, why) => {
  const found = problemsOf(text, profile());
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ path, class: 'config', message: expect.stringContaining(why) });
  expect(found[0]!.place!.line).toBeGreaterThan(5);
  expect(JSON.stringify(found)).not.toContain('ghp_secret');
});

test('given a database address with a password, then the plan is refused without showing it', () => {
  const open = profile({ reports: { table: { address: 'postgres://a:hidden@127.0.0.1/b' } } });
  const found = problemsOf(FILE('table: { kind: postgres, table: t }'), open);
  expect(found).toMatchObject([{ path: 'reports.table', message: expect.stringContaining('is no reference') }]);
  expect(JSON.stringify(found)).not.toContain('hidden');
});

test.each<[string, Given]>([
  ['--skip', { skip: ['tests/spread'] }],
  ['--only', { only: ['tests/other'] }],
])('given %s that leaves out every test on a cluster, then reports are left out with the reason', (_, given) => {
  const other = "other: { in: host, needs: ['deps/ray'], run: t, expect: ok, pythons: [cp311] }";
  const file = FILE('rows: { kind: rows, to: results }').replace('tests:', `tests:\n  ${other}`);
  const made = planOf(file, { ...profile(), given });
  expect(made.dropped).toEqual([{ id: 'reports/rows', because: 'every test on a cluster is left out' }]);
  expect(idsOf(made, 'reports')).toEqual([]);
});

test('given no test on a cluster, then reports are refused', () => {
  const found = problemsOf(`${HEAD}reports: { rows: { kind: rows, to: results } }\n`, profile());
  expect(found).toMatchObject([{ path: 'reports.rows', message: expect.stringContaining('no test') }]);
});
