import { planFault } from '../../src/model/schema/plan.js';
import { HEAD, idsOf, planOf, problemsOf, someFacts, stepOf } from './a-plan.js';
import { Profile } from '../../src/model/schema/profile.js';
import type { Facts } from '../../src/plan/facts.js';
import { servicesOf } from '../../src/plan/services.js';

const profile = (kinds: object): Partial<Facts> => ({
  profile: { name: 'local', content: Profile.parse({ rehearsal: false, kinds }) },
});
const EVERYWHERE = profile({
  python: { address: 'service:index' },
  maven: { address: 'service:maven' },
  command: { address: 'conda-channel' },
  s3: { address: 's3://bucket/prefix', endpoint: 'http://127.0.0.1:7070' },
  central: { address: 'http://127.0.0.1:9/', reads: 'http://127.0.0.1:9/maven2/' },
  'git-tag': { address: '../upstream.git' },
  simple: { address: 'service:wheels' },
});
const GIT = { git: { commit: 'c'.repeat(40), branch: 'main', epoch: 0 } } as unknown as Partial<Facts>;
const FROM_GIT = HEAD.replace(/source: .*/, 'source: { git: . }');
const codes = (text: string, facts: Partial<Facts> = EVERYWHERE): readonly string[] =>
  problemsOf(text, facts).map(({ code }) => code);

const BUILT = `wheels: { skiff: {} }
sdists: { skiff: {} }
jars: { skiff: {} }
steps: { conda: { run: make conda, outputs: ['*.conda'] } }
`;

test('given several targets, then irrevocable ones come last, and the tag on the commit after them', () => {
  const text = `${FROM_GIT}${BUILT}publish:
  conda: { kind: command, files: [steps/conda], observe: look, upload: send }
  channel: { kind: command, files: [steps/conda], observe: look, upload: send, undo: remove }
  index: { kind: python, files: ['wheels/*', sdists/skiff] }
  files: { kind: s3, files: ['wheels/*'] }
  maven: { kind: maven, files: [jars/skiff] }
  central: { kind: central, files: [jars/skiff] }
  tag: { kind: git-tag }
`;
  const made = planOf(text, { ...EVERYWHERE, ...GIT });
  expect(planFault(made)).toBeNull();
  const order = [...new Set(made.effects.map(({ target }) => target))];
  expect(order).toEqual(['files', 'maven', 'channel', 'index', 'conda', 'central', 'tag']);
  const tag = stepOf(made, 'publish/tag/source.skiff');
  expect(tag.wants).toEqual(expect.arrayContaining(idsOf(made, 'publish').filter((id) => id !== tag.id)));
  expect(tag.wants).toEqual(expect.arrayContaining(idsOf(made, 'verify').filter((id) => !id.startsWith('verify/tag'))));
  expect(stepOf(made, 'verify/central/all').on).toBe('control');
  expect(made.effects.find(({ target }) => target === 'channel')).toMatchObject({ name: '*.conda', undo: 'remove' });
  expect(made.effects.find(({ target }) => target === 'tag')).toMatchObject({ name: 'v1.0' });
});

test('given keys of one kind of target, then its step has them with placeholders filled', () => {
  const text = `${FROM_GIT}${BUILT}publish:
  files: { kind: s3, files: ['wheels/*'] }
  conda: { kind: command, files: [steps/conda], observe: 'look {version}', upload: send, secrets: [CONDA_TOKEN] }
`;
  const made = planOf(text, { ...EVERYWHERE, ...GIT });
  const extra = (id: string): unknown => (stepOf(made, id).params as { target: { extra: unknown } }).target.extra;
  expect(extra('publish/files/wheels.skiff.cp311.linux-x86_64')).toEqual({
    kind: 's3',
    path: `main/${'c'.repeat(40)}/{file}`,
    endpoint: 'http://127.0.0.1:7070',
  });
  expect(extra('publish/conda/steps.conda')).toEqual({
    ...{ kind: 'command', observe: 'look "${SLIPWAY_VERSION}"', upload: 'send', undo: null },
    vars: { SLIPWAY_VERSION: '1.0' },
    secrets: ['CONDA_TOKEN'],
  });
});

test.each([
  ['a command without its lines', 'conda: { kind: command, files: [steps/conda] }', ['MISSING_KEY', 'MISSING_KEY']],
  ['a key of another kind', "index: { kind: python, files: ['wheels/*'], tag: v1 }", ['WRONG_VALUE']],
  ['a tag where there is no commit', 'tag: { kind: git-tag }', ['WRONG_VALUE']],
  ['a target without files', 'index: { kind: python }', ['MISSING_KEY']],
  ['a path without the file', "files: { kind: s3, files: ['wheels/*'], path: a/b }", ['WRONG_VALUE']],
  ['a path that leads out', "files: { kind: s3, files: ['wheels/*'], path: '../{file}' }", ['WRONG_VALUE']],
  ['images in a bucket', 'files: { kind: s3, files: [images/skiff] }', ['UNKNOWN_NEED']],
])('given %s, then it is refused', (_, entry, expected) => {
  expect(codes(`${HEAD}${BUILT}publish:\n  ${entry}\n`)).toEqual(expected);
});

test('given Central without an address to read from, then it is refused', () => {
  const facts = profile({ central: { address: 'http://127.0.0.1:9/' } });
  expect(codes(`${HEAD}${BUILT}publish:\n  central: { kind: central, files: [jars/skiff] }\n`, facts)).toEqual([
    'WRONG_VALUE',
  ]);
});

test('given a target without an address in the profile, then it is refused', () => {
  const file = `${HEAD}${BUILT}publish:\n  tag: { kind: s3, files: ['wheels/*'] }\n`;
  expect(problemsOf(file, { profile: someFacts().profile })).toMatchObject([
    {
      code: 'TARGET_NOT_IN_PROFILE',
      next: expect.stringContaining('`kinds: { s3: { address: … } }` to profiles/local.yaml beside the release file'),
    },
  ]);
});

const PIPELINE = `slipway: 1
pipeline: { name: cache, label: minute }
source: { git: . }
platforms: [linux-x86_64, linux-aarch64]
pythons: [cp311]
wheels:
  skiff: {}
  pure: { platform: none, python: none }
`;
/** Two wheels that the Python of their distribution builds, one with libraries of its own. */
const IN_BASES = `slipway: 1
pipeline: { name: shelf, label: r-1 }
sources: { hull: { sdist: hull==1.0, sha256: ${'a'.repeat(64)} } }
platforms: { debian-12: { like: linux-x86_64, base: debian-12, libc: '2.36' } }
pythons: [cp311]
bases: { debian-12: { debian: bookworm, python: own } }
wheels:
  hull: { source: hull }
  mast: { source: hull, packages: [libldap2-dev] }
`;
const CACHE = 'publish: { cache: { kind: simple, files: [wheels/*], when: built } }\n';

describe('a static index of wheels', () => {
  test('given `when: built` alone, when it is planned, then each wheel goes out behind its build, without seal or attestation', () => {
    const made = planOf(`${PIPELINE}${CACHE}`, { ...EVERYWHERE, ...GIT });
    expect(planFault(made)).toBeNull();
    expect(idsOf(made, 'seal')).toEqual([]);
    expect(idsOf(made, 'attest')).toEqual([]);
    expect(idsOf(made, 'prove').filter((id) => id.includes('target'))).toEqual(['prove/target/cache']);
    const step = stepOf(made, 'publish/cache/wheels.skiff.cp311.linux-aarch64');
    expect(step.needs).toEqual(['wheels/skiff/cp311/linux-aarch64']);
    expect(step.params).toMatchObject({ when: 'built', tags: ['linux-aarch64'] });
    expect(stepOf(made, 'publish/cache/wheels.pure').params).toMatchObject({ tags: ['linux-x86_64', 'linux-aarch64'] });
  });

  test('given wheels of two platforms, when it is planned, then each platform is verified once, also if a wheel fails', () => {
    const made = planOf(`${PIPELINE}${CACHE}`, { ...EVERYWHERE, ...GIT });
    expect(idsOf(made, 'verify')).toEqual(['verify/cache/linux-aarch64', 'verify/cache/linux-x86_64']);
    const step = stepOf(made, 'verify/cache/linux-aarch64');
    expect(step.needs).toEqual([]);
    expect(step.wants).toEqual(
      expect.arrayContaining(['publish/cache/wheels.skiff.cp311.linux-aarch64', 'wheels/skiff/cp311/linux-aarch64']),
    );
    expect(step.params).toMatchObject({ when: 'built', python: 'cp311' });
  });

  test('given wheels that are built in bases, when it is planned, then they are verified in the same bases', () => {
    const step = stepOf(planOf(`${IN_BASES}${CACHE}`, EVERYWHERE), 'verify/cache/debian-12');
    const bases = ['bases/of-platform/debian-12', 'bases/wheels-mast/debian-12'];
    expect(step.params).toMatchObject({ bases, python: 'cp311' });
    expect(step.wants).toEqual(expect.arrayContaining(bases));
    expect(servicesOf(step)).toContain('docker');
  });

  test('given wheels that are built on the worker, when it is planned, then they are verified there', () => {
    const step = stepOf(planOf(`${PIPELINE}${CACHE}`, { ...EVERYWHERE, ...GIT }), 'verify/cache/linux-x86_64');
    expect(step.params).not.toHaveProperty('bases');
  });

  test('given two platforms, when effects are listed, then the same file name in two indexes is no twin', () => {
    const made = planOf(`${PIPELINE}${CACHE}`, { ...EVERYWHERE, ...GIT });
    const names = made.effects.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('linux-aarch64/'))).toHaveLength(2);
    expect(new Set(names).size).toBe(names.length);
  });

  test('given a release with other targets, when it is planned, then these do not wait for the index, and the index not for the seal', () => {
    const text = `${FROM_GIT}${BUILT}publish:
  cache: { kind: simple, files: [wheels/*], when: built }
  index: { kind: python, files: ['wheels/*'] }
`;
    const made = planOf(text, { ...EVERYWHERE, ...GIT });
    expect(stepOf(made, 'publish/index/wheels.skiff.cp311.linux-x86_64').wants).toEqual([]);
    expect(stepOf(made, 'publish/cache/wheels.skiff.cp311.linux-x86_64').needs).toEqual([
      'wheels/skiff/cp311/linux-x86_64',
    ]);
  });

  test.each([
    [
      'a gate before `when: built`',
      `gates: { ok: { before: [publish/cache], for: 1h } }\n${CACHE}`,
      'no gate can stand before it',
    ],
    ['an sdist in its files', CACHE.replace('wheels/*', 'source/cache'), 'source/cache'],
    [
      '`when` at another kind',
      "publish: { index: { kind: python, files: ['wheels/*'], when: built } }\n",
      '"when" is for targets of kind simple',
    ],
  ])('given %s, when it is planned, then it is refused with the reason', (_, text, why) => {
    expect(
      problemsOf(`${PIPELINE}${text}`, { ...EVERYWHERE, ...GIT })
        .map(({ message }) => message)
        .join(),
    ).toContain(why);
  });

  test('given a folder without `reads`, when it is planned, then the profile is asked for the address', () => {
    const folder = profile({ simple: { address: '/srv/wheels' } });
    const [problem] = problemsOf(`${PIPELINE}${CACHE}`, { ...folder, ...GIT });
    expect(problem!.next).toContain('reads:');
  });
});

test.each([
  ['cache', []],
  ['index', ['WRONG_VALUE']],
  ['cash', ['WRONG_VALUE']],
])('given `prune` of %s, when only `cache` is an index of ours, then the answer is fixed', (name, expected) => {
  const text = `${HEAD}${BUILT}publish:
  cache: { kind: simple, files: ['wheels/*'], when: built }
  index: { kind: python, files: ['wheels/*'] }
prune: { ${name}: { unused: 365d } }
`;
  expect(codes(text)).toEqual(expected);
});
