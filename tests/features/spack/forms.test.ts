import type { EnvironmentImport } from '../../../src/features/spack/schemas/environment.js';
import { aLock, aNode, boatyardWith, hashOf, importedFrom } from './an-environment.js';

const RUNNERS = [{ tags: ['a'], on: 'gpu' }];
const LOCK = aLock({ keel: [], mast: ['keel'], skiff: ['mast'] });

function imported(spack: object, more: Partial<EnvironmentImport> = {}, lock = LOCK) {
  const yaml = JSON.stringify({ spack: { specs: ['skiff'], ...spack } });
  const files = { ...boatyardWith(lock), 'env/spack.yaml': yaml };
  const { made } = importedFrom(files, { recipes: {}, ...more });
  return {
    ...{ made, entries: made.entries.map(({ name: id, entry }) => ({ id, ...entry })) },
    notices: (made.notices ?? []).map(({ code, subject, why }) => `${code} ${subject}: ${why}`),
    found: made.findings.map(({ code, message }) => `${code}: ${message}`),
  };
}

const jobs = (attributes: object) => ({ ci: { 'pipeline-gen': [{ 'build-job': { tags: ['a'], ...attributes } }] } });

/** Two roots that share keel. */
const TWO = JSON.stringify({
  ...(JSON.parse(aLock({ keel: [], mast: ['keel'], skiff: ['keel'] })) as object),
  roots: ['mast', 'skiff'].map((spec) => ({ hash: hashOf(spec), spec })),
});
const MAPPINGS = { mappings: [{ match: ['skiff'], 'runner-attributes': { tags: ['a'] } }] };
const TWO_ROOTS = { specs: ['mast', 'skiff'], 'gitlab-ci': MAPPINGS };

test('given `unmapped: drop`, then specs that only unmapped roots need are left out, with their number', () => {
  const { entries, notices, made, found } = imported(TWO_ROOTS, { runners: RUNNERS, unmapped: 'drop' }, TWO);
  expect(found).toEqual([]);
  expect(entries.map(({ id }) => id)).toEqual(['keel-1.0-keelabc', 'skiff-1.0-skiffab']);
  expect(
    made.rows?.filter(({ verdict }) => verdict === 'left out').map(({ subject, reason }) => `${subject}: ${reason}`),
  ).toEqual(['mast@1.0 /mastabc: no mapping of spack.yaml fits a root that needs it']);
  expect(notices).toContain(
    'SPECS_LEFT_OUT env/spack.yaml: 1 spec of the lock: no mapping of spack.yaml fits a root that needs it',
  );
  expect(imported(TWO_ROOTS, { runners: RUNNERS }, TWO).found).toContain(
    'JOB_UNMAPPED: no mapping of spack.yaml fits the root that needs mast',
  );
});

const GROUPED = { specs: ['mast', { group: 'tools', specs: ['skiff'] }] };

test.each([
  [['tools'], ['keel', 'skiff'], []],
  [['default'], ['keel', 'mast'], []],
  [['tools', 'default'], ['keel', 'mast', 'skiff'], []],
  [['lacks'], [], ['GROUP_UNKNOWN: no root is in the group "lacks"; groups are default, tools']],
])('given groups: %j, then roots of other groups are left out', (groups, names, problems) => {
  const { entries, found } = imported(GROUPED, { groups }, TWO);
  expect([entries.map(({ id }) => id.split('-')[0]), found]).toEqual([names, problems]);
});

test('given a lock of format 7, then it says the groups itself', () => {
  const lock = JSON.parse(TWO) as { _meta: object; roots: object[] };
  const roots = lock.roots.map((root, at) => ({ ...root, group: ['x', 'y'][at] }));
  const seven = { ...lock, _meta: { 'lockfile-version': 7 }, roots };
  const { entries, notices } = imported({ specs: ['mast', 'skiff'] }, { groups: ['y'] }, JSON.stringify(seven));
  expect(entries.map(({ id }) => id)).toEqual(['keel-1.0-keelabc', 'skiff-1.0-skiffab']);
  expect(notices).toEqual([
    'SPECS_LEFT_OUT env/spack.yaml: 1 spec of the lock: only roots of other groups than y need it',
  ]);
});

test('given `prefix` and `setup`, then each entry has them', () => {
  const { entries } = imported({}, { prefix: 'gcc12', setup: 'module load gcc/12' });
  expect(entries.map(({ id }) => id)).toEqual([
    'gcc12-keel-1.0-keelabc',
    'gcc12-mast-1.0-mastabc',
    'gcc12-skiff-1.0-skiffab',
  ]);
  expect(entries[1]).toMatchObject({ setup: 'module load gcc/12', dependencies: ['gcc12-keel-1.0-keelabc'] });
});

test('given a runner whose queue may be dropped, then its specs say so', () => {
  const { entries } = imported(jobs({}), { runners: [{ tags: ['a'], on: 'gpu', unserved: 'drop' }] });
  expect(entries[0]).toMatchObject({ on: 'gpu', unserved: 'drop' });
});

test('given images and variables of jobs, then specs are built in bases, with variables as text', () => {
  const said = jobs({
    ...{ image: { name: 'site/deb12:1', entrypoint: [''] }, script: ['x'], retry: 2 },
    variables: { SPACK_BUILD_JOBS: 8, AT: '$HOME/x', 'a-b': '1' },
  });
  const { entries, notices } = imported(said, { runners: RUNNERS, images: { 'site/deb*': 'debian' } });
  expect(entries[0]).toMatchObject({ base: 'debian', jobs: 8, variables: { AT: '$HOME/x' } });
  expect(notices).toEqual([
    'ENVIRONMENT_KEY_IGNORED env/spack.yaml: ci: only bootstrap, tags, variables and images are read',
    'VARIABLE_AS_TEXT env/spack.yaml:1: AT has a "$", and Slipway looks nothing up',
    'JOB_KEY_IGNORED env/spack.yaml: retry: no run reads it; 3 specs would have it',
    'JOB_KEY_IGNORED env/spack.yaml: script: no run reads it; 3 specs would have it',
  ]);
  const other = imported(jobs({ image: 'my/site/deb12' }), { runners: RUNNERS, images: { 'site/deb*': 'debian' } });
  expect(other.entries[0]).not.toHaveProperty('base');
  expect(other.notices).toContain('JOB_KEY_IGNORED env/spack.yaml: image: no run reads it; 3 specs would have it');
});

test('given keys that nothing reads and keys that nobody knows, then each is told in its own way', () => {
  const { notices, found } = imported({ cdash: {}, veiw: false });
  expect(found).toEqual([]);
  expect(notices).toEqual([
    'ENVIRONMENT_KEY_IGNORED env/spack.yaml: cdash: no run reads this key of spack.yaml',
    'ENVIRONMENT_KEY_UNKNOWN env/spack.yaml:1: veiw: neither Spack 1.2 nor Slipway knows this key',
  ]);
});

test('given runners and no rules, then a person is told that the first runner takes all', () => {
  const { notices } = imported({}, { runners: RUNNERS });
  expect(notices.map((text) => text.split(' ')[0])).toEqual(['ENVIRONMENT_NO_RULES']);
});

test('given two hits that differ, then the one that does not count is told with its specs', () => {
  const mappings = [
    { match: ['skiff'], 'runner-attributes': { tags: ['a'] } },
    { match: ['skiff'], 'runner-attributes': { tags: ['b'] } },
  ];
  const { notices } = imported({ 'gitlab-ci': { mappings } }, { runners: RUNNERS });
  expect(notices).toContain(
    'MAPPING_SHADOWED env/spack.yaml:1: it fits 3 specs with tags of a rule that is tried before it',
  );
});

test.each([
  ['both dialects', { ...jobs({}), 'gitlab-ci': MAPPINGS }, ['RULES_TWICE: the file has both "ci" and "gitlab-ci"']],
  [
    'an item of two kinds',
    { ci: { 'pipeline-gen': [{ 'build-job': { tags: ['a'] }, 'any-job': {} }] } },
    ['RULE_OF_TWO_KINDS: an item of pipeline-gen is of one kind, and this one has build-job, any-job'],
  ],
  [
    'an unknown item',
    { ci: { 'pipeline-gen': [{ 'bild-job': {} }] } },
    ['RULE_UNKNOWN: pipeline-gen has no item "bild-job"'],
  ],
  [
    'a mapping without tags',
    { ci: { mappings: [{ match: ['skiff'], 'runner-attributes': { image: 'x' } }] } },
    ['RUNNER_WITHOUT_TAGS: a mapping has no tags, so it chooses no runner'],
  ],
  [
    'a list that is not there',
    { ci: { bootstrap: ['tools'], 'pipeline-gen': [] } },
    ['BOOTSTRAP_UNDEFINED: bootstrap names tools, and no definition has this name'],
  ],
  [
    'no mapping',
    { 'gitlab-ci': { mappings: [{ match: ['hull'], 'runner-attributes': { tags: ['a'] } }] } },
    ['keel', 'mast', 'skiff'].map((name) => `JOB_UNMAPPED: no mapping of spack.yaml fits the root that needs ${name}`),
  ],
  [
    'tags that nobody has',
    { ci: { 'pipeline-gen': [{ submapping: [{ match: ['skiff'], 'build-job': { tags: ['b'] } }] }] } },
    ['TAGS_UNSERVED: no runner has all tags of skiff: b; runners[0] lacks b'],
  ],
  [
    'several of them',
    { specs: ['$x'], 'gitlab-ci': MAPPINGS, ci: { bootstrap: ['tools'], 'pipeline-gen': [] } },
    [
      'BOOTSTRAP_UNDEFINED: bootstrap names tools, and no definition has this name',
      'DEFINITION_UNDEFINED: nothing defines $x',
    ],
  ],
])('given %s, then planning names it', (_, spack, messages) => {
  const { found, made } = imported(spack, { runners: RUNNERS });
  expect(found.filter((one) => !one.startsWith('LOCK_STALE'))).toEqual(messages);
  for (const { next, place } of made.findings)
    expect([next.length > 10, place?.file ?? 'env/spack.yaml']).toEqual([true, 'env/spack.yaml']);
});

test('given a spec of an old lock that is external, then its phase does not matter', () => {
  const gcc = { [hashOf('gcc')]: aNode('gcc', [], { external: { path: '/usr' } }) };
  const { entries } = imported({ specs: ['zlib'] }, { barrier: true }, aLock({ gcc: [], zlib: ['gcc'] }, gcc));
  expect(entries).toHaveLength(1);
});
