import type { Facts } from '../../src/plan/facts.js';
import { Profile } from '../../src/model/schema/profile.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { bundleOf, HEAD, planOf, problemsOf, sha256, someFacts, stepOf } from './a-plan.js';

const RELEASE = `${HEAD}deps: { build: { requires: [setuptools] } }
wheels: { skiff: { needs: [deps/build] } }
publish:
  first: { kind: python, files: [wheels/skiff] }
  second: { kind: python, files: [wheels/skiff] }
`;
const KEYS = { bundle: bundleOf('slipway.yaml', 'keys/a.pub', 'keys/b.pub') };
const APPROVERS = 'approvers: { core: [keys/a.pub, keys/b.pub] }';

test('given a gate, then it needs the seal, and everything published needs the gate', () => {
  const made = planOf(`${RELEASE}gates: { ship: { ${APPROVERS} } }\n`, KEYS);
  expect(stepOf(made, 'gates/ship')).toMatchObject({
    kind: 'passGate',
    stage: 'gates',
    on: 'control',
    needs: ['seal/manifest', 'attest/release'],
    files: ['keys/a.pub', 'keys/b.pub'],
    params: {
      gate: 'ship',
      quorum: 1,
      expiresMs: 72 * 3_600_000,
      self: true,
      signed: 'required',
      soakMs: 0,
      tests: 'sealed',
    },
  });
  const published = made.steps.filter(({ stage }) => stage === 'publish');
  expect(published).toHaveLength(4);
  for (const { needs } of published) expect(needs).toContain('gates/ship');
});

test('given `before:` and a soak time only, then the gate guards the named target and has no approvers', () => {
  const made = planOf(`${RELEASE}gates: { soak: { for: 2h, before: [publish/second] } }\n`, KEYS);
  expect(stepOf(made, 'gates/soak').params).toMatchObject({ quorum: 0, soakMs: 7_200_000, approvers: [] });
  for (const { id, needs } of made.steps.filter(({ stage }) => stage === 'publish'))
    expect([id, needs.includes('gates/soak')]).toEqual([id, id.startsWith('publish/second/')]);
});

test("given gates, then the skeleton in Temporal's history has their rules and no other parameters", () => {
  const made = planOf(`${RELEASE}gates: { ship: { ${APPROVERS}, quorum: 2, self: false } }\n`, KEYS);
  const { steps } = skeletonOf(made, sha256('plan'), someFacts().queues);
  expect(steps.filter(({ gate }) => gate !== undefined).map(({ id, gate }) => [id, gate!.quorum, gate!.self])).toEqual([
    ['gates/ship', 2, false],
  ]);
});

const profile = (rehearsal: boolean) => ({
  profile: { name: 'live', content: Profile.parse({ rehearsal, kinds: { python: { address: 'service:index' } } }) },
});
const git = (branch: string | null) => ({ git: { commit: 'c'.repeat(40), branch, epoch: 1, files: {} } });
const FROM_GIT = RELEASE.replace(/source: .*/, 'source: { git: . }');

test.each<[string, Partial<Facts>, string?]>([
  ['said to be one', { given: { pull: '77' }, ...git('main') }],
  ['checked out as a pull request', git('pull/77/merge')],
  ['named by `commit`', git('main'), FROM_GIT.replace('git: .', 'git: ., commit: refs/pull/77/head')],
  ['checked out as a pull request under a remote called pull', git('77/head')],
])('given a pull request %s, then a live profile refuses it and a rehearsal does not', (_, facts, text = FROM_GIT) => {
  const codes = (rehearsal: boolean) => problemsOf(text, { ...facts, ...profile(rehearsal) }).map(({ code }) => code);
  expect(codes(false)).toEqual(['PULL_REQUEST_NOT_RELEASED']);
  expect(codes(true)).toEqual([]);
});

test('given release.branches, then only matching branches may release; a number in a branch is no pull request', () => {
  const live = (branch: string | null, text = FROM_GIT) =>
    problemsOf(text, { ...git(branch), ...profile(false) }).map(({ code }) => code);
  expect(live('releases/77')).toEqual([]);
  const named = FROM_GIT.replace("version: '1.0'", "version: '1.0', branches: ['releases/*']");
  expect([live('releases/1', named), live('main', named), live(null, named)]).toEqual([
    [],
    ['BRANCH_NOT_ALLOWED'],
    ['BRANCH_NOT_ALLOWED'],
  ]);
});

test.each([
  ['release-1.2', []],
  ['release-1.2/try', ['BRANCH_NOT_ALLOWED']],
  ['try/release-1.2', ['BRANCH_NOT_ALLOWED']],
])('given branches: [release-*], when the branch is %s, then its problems are %j', (branch, codes) => {
  const text = FROM_GIT.replace(/^release: \{/m, 'release: { branches: [release-*],');
  expect(text).toContain('release-*');
  expect(problemsOf(text, git(branch)).map(({ code }) => code)).toEqual(codes);
});
