import { readFileSync } from 'node:fs';
import type { Isolation } from '../../src/model/isolation.js';
import type { Target } from '../../src/model/target.js';
import { Policy, type PolicyRow } from '../../src/model/schema/policy.js';
import { receiversIn } from '../../src/plan/policy/receivers.js';
import { covers } from '../../src/plan/policy/address.js';
import { policyDraft } from '../../src/plan/policy/draft.js';
import { isolationProblems } from '../../src/plan/policy/isolation.js';
import { judgeTarget, rowOf } from '../../src/plan/policy/judge.js';
import { readChecked } from '../../src/plan/read/release-file.js';
import { Profile } from '../../src/model/schema/profile.js';
import { bundleOf, HEAD, planOf } from './a-plan.js';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA';
const aTarget = (more: Partial<Target>): Target => ({
  ...{ name: 'shelf', kind: 'maven', address: '', repository: null, username: null, password: null },
  ...more,
});
const aRow = (more: object): PolicyRow => Policy.parse({ policy: 1, publish: [more] }).publish[0]!;

test('given a token server that a row does not name, then the row does not cover the target', () => {
  const row = aRow({ kind: 'oci', address: 'registry.example/team', realm: 'https://auth.example/token' });
  const to = { kind: 'oci', address: 'registry.example', repository: 'team' } as const;
  expect(covers(row, aTarget({ ...to, extra: { kind: 'oci', realm: 'https://evil.example/token' } }))).toBe(0);
});

test.each<[string, object, Partial<Target>]>([
  ['itself', { address: 'https://a.example/x' }, { address: 'https://a.example/x/' }],
  ['an address below it', { address: 'https://a.example' }, { address: 'https://a.example/x/y' }],
  ['another writing of the host', { address: 'https://a.example/x' }, { address: 'HTTPS://A.example:443/x' }],
  ['a repository of twine', { kind: 'python', address: 'pypi' }, { kind: 'python', address: 'pypi' }],
  [
    'repositories below a name',
    { kind: 'oci', address: 'registry.example/team' },
    { kind: 'oci', address: 'registry.example', repository: 'team/skiff' },
  ],
  [
    'a registry with its scheme',
    { kind: 'oci', address: 'registry.example/team' },
    { kind: 'oci', address: 'https://registry.example/', repository: 'team' },
  ],
  [
    'a registry with the token server that it names',
    { kind: 'oci', address: 'registry.example/team', realm: 'https://auth.example/token' },
    {
      ...{ kind: 'oci', address: 'registry.example', repository: 'team' },
      extra: { kind: 'oci', realm: 'https://auth.example/token' },
    },
  ],
  [
    'a repository by ssh',
    { kind: 'git-tag', address: 'git@git.example:team/skiff.git' },
    { kind: 'git-tag', address: 'git@git.example:team/skiff.git' },
  ],
])('given %s, then the row covers it', (_, row, target) => {
  expect(covers(aRow({ kind: 'maven', ...row }), aTarget(target))).toBeGreaterThan(0);
});

test.each<[string, object, Partial<Target>]>([
  ['a longer name', { address: 'https://a.example/x' }, { address: 'https://a.example/xy' }],
  ['a longer host', { address: 'https://a.example' }, { address: 'https://a.example.evil/' }],
  ['a host behind a user', { address: 'https://a.example' }, { address: 'https://a.example@evil/' }],
  ['a way up', { address: 'https://a.example/x' }, { address: 'https://a.example/x/../y' }],
  ['a way up in disguise', { address: 'https://a.example/x' }, { address: 'https://a.example/x/%2e%2E/y' }],
  ['the same without TLS', { address: 'https://a.example' }, { address: 'http://a.example' }],
  ['a registry without TLS', { kind: 'oci', address: 'a.example' }, { kind: 'oci', address: 'http://a.example' }],
  [
    'another repository',
    { kind: 'oci', address: 'a.example/team' },
    { kind: 'oci', address: 'a.example', repository: 'teams/x' },
  ],
  [
    'a bucket of another server',
    { kind: 's3', address: 's3://a/b' },
    { kind: 's3', address: 's3://a/b', extra: { kind: 's3', path: '{file}', endpoint: 'https://evil.example' } },
  ],
])('given %s, then the row does not cover it', (_, row, target) => {
  expect(covers(aRow({ kind: 'maven', ...row }), aTarget({ repository: 'x', ...target }))).toBe(0);
});

const RELEASE = `${HEAD}jars: { skiff: {} }
wheels: { skiff: {} }
steps: { conda: { run: make conda, outputs: ['*.conda'] } }
gates:
  ship: { approvers: { core: [keys/kim.pub] }, expires: 4h }
  soak: { for: 2h }
publish:
  maven: { kind: maven, files: [jars/skiff] }
  index: { kind: python, files: ['wheels/*'] }
  conda: { kind: command, files: [steps/conda], observe: look, upload: send, secrets: [TOKEN, OTHER] }
`;
const content = Profile.parse({
  rehearsal: false,
  kinds: {
    maven: { address: 'https://a.example/maven/' },
    python: { address: 'service:index' },
    command: { address: 'x' },
  },
});
const plan = planOf(RELEASE, { profile: { name: 'live', content }, bundle: bundleOf('slipway.yaml', 'keys/kim.pub') });
const draft = policyDraft({ file: 'slipway.yaml', plan, branches: ['main'], keys: { 'keys/kim.pub': `${KEY} kim\n` } });
const target = (name: string) => {
  const found = plan.steps.find((step) => step.kind === 'publishArtifacts' && step.params.target.name === name)!;
  const { target: of } = found.params as { target: Target };
  return { ...of, planned: of.address };
};

test('given a draft from a plan, then it allows exactly that plan, behind its gates', () => {
  const policy = readChecked(draft, 'policy.yaml', Policy);
  expect(policy.content).toMatchObject({
    ...{ approvers: { 'ship-core': [`${KEY} kim`] }, branches: ['main'], expires: 4 * 3_600_000 },
    publish: [
      { kind: 'command', address: 'x', secrets: ['$TOKEN', '$OTHER'], gates: { ship: { quorum: 1 } } },
      { kind: 'maven', address: 'https://a.example/maven/', gates: { ship: { approvers: ['ship-core'] } } },
    ],
  });
  const question = { policy, path: 'policy.yaml', plan, refs: {} };
  // An sdist is on no branch.
  expect(judgeTarget(question, target('maven')).problems).toMatchObject([{ code: 'POLICY_BRANCH' }]);
  expect(judgeTarget(question, target('index'))).toMatchObject({ row: null, problems: [] });
});

describe('given a plan that sends something to clusters, reports and webhooks', () => {
  const sending = planOf(
    `${HEAD}deps: { ray: { requires: ['ray[default]'] } }
clusters: { far: { manager: jobs, address: 'http://ray.example:8265' }, rack: { manager: ssh }, one: { manager: local } }
tests:
  a: { needs: [deps/ray], cluster: far, run: t }
  b: { needs: [deps/ray], cluster: rack, run: t }
  c: { needs: [deps/ray], cluster: one, run: t }
standings: { branch: main }
reports:
  issues: { kind: github, repository: skiff/boat, token: $TOKEN }
  table: { kind: postgres, table: results }
notify: { team: { webhook: 'https://chat.example/a?b=c' }, other: { webhook: $HOOK } }
`,
    {
      profile: {
        name: 'live',
        content: Profile.parse({
          rehearsal: false,
          clusters: { rack: { hosts: ['ray@one.example'], ray: '/opt/ray', config: '/etc/ssh_two' } },
          reports: { table: { address: '$DATABASE' } },
        }),
      },
    },
  );
  const text = policyDraft({ file: 'slipway.yaml', plan: sending, branches: [], keys: {} });
  const policy = readChecked(text, 'policy.yaml', Policy);
  const asked = receiversIn(sending).map((one) => ({ ...one, planned: one.address }));

  test('when a policy is drafted, then it has a row for each address that the plan shows', () => {
    expect(policy.content.publish.map(({ kind, address, config }) => [kind, address, config])).toEqual([
      ['jobs', 'http://ray.example:8265', undefined],
      ['ssh', 'ray@one.example', '/etc/ssh_two'],
      ['github', 'https://api.github.com/skiff/boat', undefined],
      ['webhook', 'https://chat.example/a', undefined],
    ]);
    expect(text).toContain('# - { kind: postgres, address: postgres://HOST/DATABASE }   # reports.table');
    expect(text).toContain('# - { kind: webhook, address: https://HOST }   # notify.other');
  });

  test('when they are judged, then the draft allows them, and without a policy none goes out', () => {
    const codes = (one: typeof policy | null) =>
      asked.flatMap((to) => judgeTarget({ policy: one, path: '', plan: sending, refs: null }, to).problems);
    expect(codes(policy)).toEqual([]);
    expect(codes(null).map(({ code }) => code)).toEqual(Array(4).fill('POLICY_MISSING'));
  });

  test('when the profile names another configuration of ssh, then the row does not cover the host', () => {
    const rack = asked.find(({ kind }) => kind === 'ssh')!;
    expect(rowOf(policy.content, rack)).not.toBeNull();
    expect(rowOf(policy.content, { ...rack, config: '/tmp/mine' })).toBeNull();
  });
});

test.each(['gates: { ship: { approvers: [core], quorum: 1 } }', 'secrets: [$A]', 'branches: [main]'])(
  'given a row for a cluster with %s, then the policy is refused: nothing would ask it',
  (key) => {
    const rows = `publish: [{ kind: jobs, address: 'http://ray.example', ${key} }]`;
    const file = `policy: 1\napprovers: { core: ['${KEY}'] }\n${rows}\n`;
    expect(() => readChecked(file, 'policy.yaml', Policy)).toThrow('a row of kind jobs has no');
  },
);

test('given the example policy, then it sets every key', () => {
  const { content: example } = readChecked(readFileSync('config/policy.example.yaml', 'utf8'), 'policy.yaml', Policy);
  expect(Object.keys(example).sort()).toEqual(Object.keys(Policy.shape).sort());
});

test('given a command target, then it gets only the secrets that the policy names', () => {
  const policy = readChecked(draft.replace('"$TOKEN", ', ''), 'policy.yaml', Policy);
  const { problems } = judgeTarget({ policy, path: '', plan, refs: null }, target('conda'));
  expect(problems).toMatchObject([
    { code: 'POLICY_SECRET', message: expect.stringContaining('asks for $TOKEN') },
    { code: 'POLICY_BRANCH' },
  ]);
});

test.each([
  ['a row', "{ kind: python, address: 'service:index' }"],
  ['no row', "{ kind: maven, address: 'https://a.example' }"],
])('given %s for a service whose address is known, then its target needs no secret of the policy', (_, row) => {
  const policy = readChecked(`policy: 1\npublish: [${row}]\n`, 'policy.yaml', Policy);
  const index = { ...target('index'), username: 'root', password: '$PASSWORD', address: 'http://127.0.0.1:1/index' };
  const problems = (planned: string) =>
    judgeTarget({ policy, path: '', plan, refs: null }, { ...index, planned }).problems.map(({ code }) => code);
  expect(problems('service:index')).toEqual([]);
  expect(problems('http://127.0.0.1:1/index')).toEqual(['POLICY_SECRET']);
});

test('given two matching rows, then the one with the longest address decides', () => {
  const rows =
    "publish: [{ kind: maven, address: 'https://a.example', branches: [x] }, { kind: maven, address: 'https://a.example/maven' }]";
  const policy = readChecked(`policy: 1\n${rows}\n`, 'policy.yaml', Policy);
  const judged = judgeTarget({ policy, path: '', plan, refs: null }, target('maven'));
  expect(judged).toMatchObject({ row: 1, problems: [] });
});

test.each([
  [
    'a quorum that no keys reach',
    `approvers: { core: ['${KEY}', '${KEY} again'] }`,
    'approvers: [core], quorum: 2',
    'of 1 keys',
  ],
  ['an unknown group', 'approvers: {}', 'approvers: [core], quorum: 1', 'no group "core"'],
])('given %s, then the policy is refused', (_, approvers, gate, why) => {
  const text = `policy: 1\n${approvers}\npublish:\n  - { kind: maven, address: x, gates: { ship: { ${gate} } } }\n`;
  expect(() => readChecked(text, 'policy.yaml', Policy)).toThrow(why);
});

test.each<[string, string, string | undefined, readonly string[]]>([
  ['enough', 'container', 'sandbox', []],
  ['too little', 'sandbox', 'container', ['skiff.whl: container']],
  ['nothing said', 'none', undefined, ['skiff.whl: not said']],
  ['nothing asked', 'any', undefined, []],
])('given sealed products with isolation %s, then the policy judges it', (_, asked, isolation, weaker) => {
  const policy = readChecked(`policy: 1\nisolation: ${asked}\n`, 'policy.yaml', Policy);
  const step = plan.steps.find(({ kind }) => kind === 'buildWheel')!.id;
  const products = [{ name: 'skiff.whl', step, ...(isolation && { isolation: isolation as Isolation }) }];
  const found = isolationProblems(policy, plan, [...products, { name: 'skiff.tar.gz', step: 'source/skiff' }]);
  expect(found).toMatchObject(
    weaker.length === 0 ? [] : [{ code: 'POLICY_ISOLATION', evidence: weaker, place: { line: 2 } }],
  );
});
