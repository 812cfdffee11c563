import type { Plan } from '../../src/model/plan.js';
import { readChecked } from '../../src/plan/read/release-file.js';
import { Policy } from '../../src/model/schema/policy.js';
import { commitProblems, refsOfCommits } from '../../src/plan/policy/commit.js';
import { bundleOf, idsOf, planOf, problemsOf, sha256, stepOf } from './a-plan.js';

const SHA = { hull: 'a'.repeat(64), keel: 'b'.repeat(64) };
const SOURCES = `sources:
  hull-1.0: { sdist: hull==1.0, sha256: ${SHA.hull} }
  keel-2.0: { sdist: Keel==2.0, sha256: ${SHA.keel}, file: keel-2.0.zip }
`;
const PIPELINE = `slipway: 1
pipeline: { name: shelf, label: 'r-1' }
platforms: [linux-x86_64]
pythons: [cp311]
`;
const RELEASE = `slipway: 1
release: { name: skiff, version: '9.9' }
source: { sdist: skiff==9.9, sha256: ${'c'.repeat(64)} }
platforms: [linux-x86_64]
pythons: [cp311]
`;
const WHEELS = `wheels:
  hull-1.0: { source: hull-1.0, project: hull, env: { SAYS: '{version}' } }
  keel-2.0: { source: keel-2.0, project: keel }
`;

const needsOf = (plan: Plan, id: string): readonly string[] => stepOf(plan, id).needs;

test('given named sources, when planned, then each wheel has its own source and version', () => {
  const plan = planOf(PIPELINE + SOURCES + WHEELS);
  expect(plan.source).toEqual({ kind: 'none', branch: null });
  expect(idsOf(plan, 'source')).toEqual(['source/hull-1.0', 'source/keel-2.0']);
  expect(stepOf(plan, 'source/keel-2.0').params).toEqual({
    source: { kind: 'sdist', name: 'Keel', version: '2.0', sha256: SHA.keel, file: 'keel-2.0.zip' },
  });
  expect(stepOf(plan, 'wheels/hull-1.0/cp311/linux-x86_64')).toMatchObject({
    ...{ source: 'source/hull-1.0', needs: ['source/hull-1.0'] },
    params: { project: 'hull', version: '1.0', env: { SAYS: '1.0' } },
  });
});

test('given a file with both, then an entry without `source` keeps the source of the file', () => {
  const plan = planOf(`${RELEASE}${SOURCES}${WHEELS}  skiff: {}\n`);
  const step = stepOf(plan, 'wheels/skiff/cp311/linux-x86_64');
  expect(step).toMatchObject({ needs: ['source/skiff'], params: { version: '9.9' } });
  expect(step).not.toHaveProperty('source');
});

test('given named sources that nothing uses, then the plan equals the plan without them', () => {
  const without = planOf(`${RELEASE}wheels: { skiff: {} }\n`);
  expect(planOf(`${RELEASE}${SOURCES}wheels: { skiff: {} }\n`)).toEqual(without);
});

test('given an sdist of a named source, then what is built from it has that source too', () => {
  const text = `sdists: { hull: { source: hull-1.0 } }\nwheels: { hull: { needs: [sdists/hull] } }\n`;
  const plan = planOf(PIPELINE + SOURCES + text);
  expect(stepOf(plan, 'sdists/hull')).toMatchObject({ source: 'source/hull-1.0', params: { version: '1.0' } });
  expect(stepOf(plan, 'wheels/hull/cp311/linux-x86_64')).toMatchObject({
    ...{ source: 'source/hull-1.0', needs: ['sdists/hull'] },
    params: { version: '1.0' },
  });
});

test('given locks, commands and preparations with a source, then their texts and needs are of that source', () => {
  const plan = planOf(`${RELEASE}${SOURCES}deps: { build: { source: hull-1.0, in: ['{version}.in'] } }
steps: { chart: { source: keel-2.0, run: 'make {version}' } }
wheels: { hull: { source: hull-1.0, prepare: { run: make } } }
`);
  expect(stepOf(plan, 'deps/build/cp311/linux-x86_64')).toMatchObject({
    ...{ source: 'source/hull-1.0', needs: ['source/hull-1.0'], params: { in: ['1.0.in'] } },
  });
  expect(stepOf(plan, 'steps/chart')).toMatchObject({
    source: 'source/keel-2.0',
    params: { vars: { SLIPWAY_VERSION: '2.0' } },
  });
  expect(needsOf(plan, 'prepare/hull')).toEqual(['source/hull-1.0']);
});

test('given a source beside the release file, then its digest is the digest of the file', () => {
  const text = `sources: { own-0.1: { sdist: own==0.1, path: sdists/own-0.1.tar.gz } }
wheels: { own: { source: own-0.1 } }
`;
  const plan = planOf(PIPELINE + text, { bundle: bundleOf('slipway.yaml', 'sdists/own-0.1.tar.gz') });
  expect(stepOf(plan, 'source/own-0.1')).toMatchObject({
    files: ['sdists/own-0.1.tar.gz'],
    params: { source: { sha256: sha256('sdists/own-0.1.tar.gz').slice(7), path: 'sdists/own-0.1.tar.gz' } },
  });
});

test('given a commit as a named source, then its texts are of that commit, and without `version` any version is right', () => {
  const sources = `sources: { boat: { git: ../boat, commit: v3, folder: lib } }\n`;
  const git = { commit: 'd'.repeat(40), branch: 'trunk', epoch: 5, files: {} };
  const plan = planOf(`${RELEASE}${sources}wheels: { boat: { source: boat, env: { AT: '{branch} {commit}' } } }\n`, {
    sources: { boat: git },
  });
  expect(stepOf(plan, 'source/boat').params).toEqual({ source: { kind: 'git', commit: git.commit, folder: 'lib' } });
  expect(stepOf(plan, 'wheels/boat/cp311/linux-x86_64').params).toMatchObject({
    ...{ version: null, env: { AT: `trunk ${git.commit}` } },
  });
});

const TWO = `sources:
  hull-1.0: { sdist: hull==1.0, sha256: ${SHA.hull} }
  hull-2.0: { sdist: hull==2.0, sha256: ${SHA.keel} }
wheels:
  hull-1.0: { source: hull-1.0, project: hull }
  hull-2.0: { source: hull-2.0, project: hull }
publish: { index: { kind: python, files: ['wheels/*'] } }
`;

test('given two versions of a project, when published, then each is proved, named and verified by its version', () => {
  const plan = planOf(RELEASE + TWO);
  expect(idsOf(plan, 'prove/target')).toEqual(['prove/target/index.hull-1.0', 'prove/target/index.hull-2.0']);
  expect(stepOf(plan, 'prove/target/index.hull-2.0').params).toMatchObject({ project: 'hull', version: '2.0' });
  expect(plan.effects.map(({ name }) => name)).toEqual([
    'hull-1.0-cp311-cp311-*_x86_64.whl',
    'hull-2.0-cp311-cp311-*_x86_64.whl',
  ]);
  expect(idsOf(plan, 'verify').map((id) => (stepOf(plan, id).params as { version: string }).version)).toEqual([
    '1.0',
    '2.0',
  ]);
});

test.each([
  [
    'an unknown source',
    `${SOURCES}wheels: { a: { source: hull-1.1 } }`,
    'UNKNOWN_SOURCE',
    'wheels.a.source',
    /hull-1\.0/,
  ],
  [
    'a source with the name of a property',
    `${SOURCES}wheels: { a: { source: constructor } }`,
    'UNKNOWN_SOURCE',
    'wheels.a.source',
    /constructor/,
  ],
  ['no source at all', `${SOURCES}wheels: { a: {} }`, 'UNKNOWN_SOURCE', 'wheels.a', /only named ones/],
  [
    'a command without a source',
    `${SOURCES}steps: { a: { run: make } }`,
    'UNKNOWN_SOURCE',
    'steps.a',
    /only named ones/,
  ],
  [
    'the name of the pipeline',
    `sources: { shelf: { sdist: a==1, sha256: ${SHA.hull} } }\nwheels: { a: { source: shelf } }`,
    ...(['SOURCE_NAME_TAKEN', 'sources.shelf', /"shelf"/] as const),
  ],
  [
    'another source than its sdist',
    `${SOURCES}sdists: { a: { source: hull-1.0 } }\nwheels: { a: { source: keel-2.0, needs: [sdists/a] } }`,
    ...(['SOURCE_DIFFERS', 'wheels.a.source', /"hull-1\.0"/] as const),
  ],
  [
    'a lock that is written back',
    `${SOURCES}deps: { a: { source: hull-1.0, requires: [b], lock: a.txt } }`,
    ...(['WRONG_VALUE', 'deps.a.lock', /source of the file alone/] as const),
  ],
  [
    'a file that is absent',
    `sources: { a: { sdist: a==1, path: a-1.tar.gz } }\nwheels: { a: { source: a } }`,
    ...(['BUNDLE_FILE_MISSING', 'sources.a.path', /a-1\.tar\.gz/] as const),
  ],
  ['a digest that is missing', `sources: { a: { sdist: a==1 } }`, 'MISSING_KEY', 'sources.a', /sha256/],
  [
    'an sdist of a commit',
    `${SOURCES}wheels: { a: { source: hull-1.0, from: { at: x } } }`,
    'WRONG_VALUE',
    'wheels.a.source',
    /"source"/,
  ],
])('%s is refused at its place', (_, text, code, path, why) => {
  const found = problemsOf(`${PIPELINE}${text}\n`);
  expect(found).toContainEqual(expect.objectContaining({ code, path, message: expect.stringMatching(why) }));
});

test('given neither `source` nor `sources`, then the file is refused', () => {
  expect(problemsOf(`${PIPELINE}wheels: { a: {} }\n`)).toMatchObject([
    { code: 'MISSING_KEY', message: '"source" is missing' },
  ]);
});

describe('given a policy with branches', () => {
  const policy = readChecked('policy: 1\napprovers: {}\nbranches: [main]\npublish: []\n', 'policy.yaml', Policy);
  const git = (letter: string) => ({ commit: letter.repeat(40), branch: 'main', epoch: 5, files: {} });
  const text = `slipway: 1
release: { name: skiff, version: '9.9' }
source: { git: . }
sources: { boat: { git: ../boat } }
platforms: [linux-x86_64]
pythons: [cp311]
wheels: { skiff: {}, boat: { source: boat } }
`;
  const plan = planOf(text, { git: git('a'), sources: { boat: git('b') } });
  const on = (branches: Readonly<Record<string, readonly string[]>>) =>
    refsOfCommits(plan, (commit) => Promise.resolve({ branches: branches[commit[0]!] ?? [], tags: [] }));

  test('then every source must be a commit of them', async () => {
    expect(commitProblems(policy, null, plan, await on({ a: ['main'], b: ['main'] }))).toEqual([]);
    expect(commitProblems(policy, null, plan, await on({ a: ['main'], b: ['topic'] }))).toMatchObject([
      { code: 'POLICY_BRANCH', message: expect.stringContaining('b'.repeat(12)) },
    ]);
  });

  test('then a named source is refused where the policy names no repository', () => {
    expect(commitProblems(policy, null, plan, null)).toHaveLength(1);
  });
});
