import { planFault } from '../../src/model/schema/plan.js';
import type { TagVariables, StepOf } from '../../src/model/plan.js';
import { TagRules } from '../../src/model/schema/tags.js';
import { withoutUnserved } from '../../src/plan/unserved.js';
import { Profile, Queues } from '../../src/model/schema/profile.js';
import { HEAD, idsOf, planOf, problemsOf, someFacts, stepOf } from './a-plan.js';

const TWO = HEAD.replace(
  'platforms: [linux-x86_64]',
  'platforms: { linux-x86_64: {}, linux-aarch64: { unserved: drop } }',
);
const emulating = (can: readonly string[] = ['host', 'container', 'emulated']) => ({
  queues: Queues.parse({ ...someFacts().queues, 'linux-x86_64': { window: 2, can } }),
});
const BASES = 'bases: { sea: { debian: bookworm, packages: [python3] } }\n';
const IMAGE = `${BASES}images: { skiff: { base: sea, on: linux-x86_64, index: platform } }\n`;
const INDEX = `${IMAGE}tests: { run: { needs: [images/skiff], in: image, on: linux-x86_64, run: 'true', expect: ok } }
publish: { hub: { kind: oci, files: [images/skiff], repository: a/skiff } }
point: [{ target: hub, name: latest, to: images/skiff }]
`;
const index = (text: string, id = 'indexes/skiff') => stepOf(planOf(text, emulating()), id) as StepOf<'assembleIndex'>;

test('given several platforms, then each used base is made where its image is built, and unused bases are not made', () => {
  const made = planOf(`${TWO}${IMAGE}`, emulating());
  expect(planFault(made)).toBeNull();
  expect(idsOf(made, 'bases')).toEqual(['bases/sea/linux-aarch64', 'bases/sea/linux-x86_64']);
  expect(stepOf(made, 'bases/sea/linux-aarch64')).toMatchObject({ on: 'linux-x86_64', params: { oci: 'linux/arm64' } });
  expect(stepOf(made, 'images/skiff/linux-aarch64')).toMatchObject({
    needs: expect.arrayContaining(['bases/sea/linux-aarch64']),
    params: { base: 'bases/sea/linux-aarch64', oci: 'linux/arm64' },
  });
  const one = planOf(`${TWO}${BASES}images: { skiff: { base: sea, platforms: [linux-x86_64] } }\n`);
  expect(idsOf(one, 'bases')).toEqual(['bases/sea/linux-x86_64']);
  expect(idsOf(planOf(`${HEAD}${BASES}images: { skiff: { base: sea } }\n`), 'bases')).toEqual(['bases/sea']);
});

describe('given a profile that names a registry', () => {
  const facts = (registry: string) => ({
    profile: { name: 'own', content: Profile.parse({ rehearsal: true, registry }) },
  });
  const from = (image: string, registry = '127.0.0.1:5000/mirror') => {
    const digest = `@sha256:${'a'.repeat(64)}`;
    const text = `${HEAD}bases: { sea: { image: '${image}${digest}' } }\nimages: { skiff: { base: sea } }\n`;
    return (stepOf(planOf(text, facts(registry)), 'bases/sea') as StepOf<'makeBase'>).params.from;
  };

  test('then images of bases that name none are looked up there', () => {
    expect(from('team/sea')).toMatchObject({ registry: '127.0.0.1:5000/mirror' });
    expect(from('sea', 'service:registry')).toMatchObject({ registry: 'service:registry' });
  });

  test.each(['hub.example/sea', '127.0.0.1:5000/sea', 'localhost/sea', '[::1]:5000/sea'])(
    'then %s is looked up where it says',
    (image) => expect(from(image)).not.toHaveProperty('registry'),
  );

  test.each(['http://127.0.0.1:5000', 'user@hub.example', 'hub.example/', '', '$HUB'])(
    'given %j in its place, then the profile is refused',
    (registry) => expect(Profile.safeParse({ rehearsal: true, registry }).success).toBe(false),
  );
});

const STACK = `${BASES}images: { deps: { base: sea, on: linux-x86_64 }, ray: { base: images/deps, on: linux-x86_64, matrix: { accelerator: [cpu, gpu] }, index: platform } }
`;

describe('an image on an image', () => {
  test('when it is planned, then it stands on the step of its own platform, never on an index, and gets no second base', () => {
    const made = planOf(`${TWO}${STACK}`, emulating());
    expect(planFault(made)).toBeNull();
    expect(idsOf(made, 'images')).toEqual([
      'images/deps/linux-aarch64',
      'images/deps/linux-x86_64',
      'images/ray/linux-aarch64/cpu',
      'images/ray/linux-aarch64/gpu',
      'images/ray/linux-x86_64/cpu',
      'images/ray/linux-x86_64/gpu',
    ]);
    for (const id of idsOf(made, 'images').filter((one) => one.startsWith('images/ray'))) {
      const under = `images/deps/${id.split('/')[2]}`;
      expect(stepOf(made, id)).toMatchObject({ needs: expect.arrayContaining([under]), params: { base: under } });
    }
    expect(idsOf(made, 'bases')).toEqual(['bases/sea/linux-aarch64', 'bases/sea/linux-x86_64']);
  });

  test('given axes of the image below, then the image above has them too', () => {
    const text = `${HEAD}images: { deps: { matrix: { accelerator: [cpu, gpu] } }, ray: { base: images/deps } }\n`;
    expect(stepOf(planOf(text), 'images/ray/linux-x86_64/gpu')).toMatchObject({
      params: { base: 'images/deps/linux-x86_64/gpu' },
    });
  });

  test('given that the image below is left out by the command, then the plan is refused at the key `base`', () => {
    const given = { skip: ['images/deps'] };
    expect(problemsOf(`${HEAD}${STACK.replaceAll(', on: linux-x86_64', '')}`, { given })).toMatchObject([
      {
        ...{ code: 'ASSUMED_KEEPS_FILES', path: 'images.ray.base' },
        ...{
          message: expect.stringContaining('images/ray needs the files of images/deps') as string,
          next: expect.any(String) as string,
        },
      },
    ]);
  });

  test('given a platform that nothing serves, then the image above is left out with the one below it', () => {
    const { plan } = withoutUnserved(planOf(`${TWO}${STACK.replaceAll(', on: linux-x86_64', '')}`), ['linux-aarch64']);
    expect(idsOf(plan, 'images')).toEqual([
      'images/deps/linux-x86_64',
      'images/ray/linux-x86_64/cpu',
      'images/ray/linux-x86_64/gpu',
    ]);
  });

  test.each([
    ['an unknown image', 'ray: { base: images/dops }, deps: {}', 'UNKNOWN_NEED', 'images.ray.base'],
    ['a cycle', 'deps: { base: images/ray }, ray: { base: images/deps }', 'NEEDS_CYCLE', 'images'],
    ['itself', 'ray: { base: images/ray }', 'NEEDS_CYCLE', 'images.ray'],
    ['another section', 'ray: { base: wheels/skiff }', 'WRONG_VALUE', 'images.ray.base'],
    [
      'axes that do not join',
      'deps: { matrix: { gpu: [a] } }, ray: { base: images/deps, matrix: { gpu: [b] } }',
      'ZERO_VARIANTS',
      'images.ray',
    ],
  ])('given %s as base, then it is refused with its place', (_, entries, code, path) => {
    expect(problemsOf(`${HEAD}images: { ${entries} }\n`)).toMatchObject([
      { code, path: expect.stringContaining(path) },
    ]);
  });
});

test('given a build container, then its base is for the platform of the builder', () => {
  const made = planOf(
    `${TWO}${BASES}wheels: { skiff: { base: sea, on: linux-x86_64 }, own: { packages: [zlib1g-dev] } }\n`,
  );
  const where = (id: string) => (stepOf(made, id) as StepOf<'buildWheel'>).params.where;
  expect(where('wheels/skiff/cp311/linux-aarch64')).toEqual({ in: 'container', base: 'bases/sea/linux-x86_64' });
  expect(where('wheels/own/cp311/linux-aarch64')).toEqual({ in: 'container', base: 'bases/wheels-own/linux-aarch64' });
});

test('given an image for another platform, then the proof of its queue asks for emulation', () => {
  const proof = (facts: ReturnType<typeof emulating>) =>
    stepOf(planOf(`${TWO}${INDEX}`, facts), 'prove/queue/linux-x86_64');
  expect(proof(emulating()).params).toMatchObject({ can: ['container', 'emulated', 'sandbox'] });
  expect(problemsOf(`${TWO}${INDEX}`, emulating(['host', 'container']))).toMatchObject([
    { code: 'QUEUE_CANNOT', path: 'images.skiff', message: expect.stringContaining('emulation') },
    { code: 'QUEUE_CANNOT', path: 'tests.run' },
  ]);
});

test('given an index, then it is a step over its images that is sealed, published, verified and pointed to', () => {
  const made = planOf(`${TWO}${INDEX}`, emulating());
  expect(index(`${TWO}${INDEX}`)).toMatchObject({
    on: 'control',
    params: {
      children: [
        { step: 'images/skiff/linux-x86_64', platform: 'linux/amd64' },
        { step: 'images/skiff/linux-aarch64', platform: 'linux/arm64' },
      ],
      tags: ['1.0'],
    },
  });
  expect(stepOf(made, 'seal/manifest').wants).toContain('indexes/skiff');
  expect(idsOf(made, 'publish')).toEqual(['publish/hub/indexes.skiff']);
  expect(idsOf(made, 'verify')).toEqual(['verify/hub/all']);
  expect(stepOf(made, 'point/hub/latest').params).toMatchObject({ to: 'indexes/skiff' });
  expect(made.effects.map(({ name }) => name)).toEqual(['a/skiff:1.0', 'a/skiff:latest']);
});

test('given an image with its own tags, then it is published beside its index, and each is verified', () => {
  const plain = INDEX.replace('index: platform', "index: platform, tags: ['{version}-{platform}', '{version}']");
  const made = planOf(`${TWO}${plain}`, emulating());
  expect(idsOf(made, 'publish')).toHaveLength(3);
  expect(stepOf(made, 'verify/hub/linux-aarch64').params).toMatchObject({ of: ['images/skiff/linux-aarch64'] });
});

test('given a dropped platform, then the index holds the rest and names it; with none left, the index is dropped', () => {
  const text = `${TWO}${INDEX.replaceAll('on: linux-x86_64, ', '')}`;
  const { plan, refused } = withoutUnserved(planOf(text), ['linux-aarch64']);
  expect(refused).toEqual([]);
  expect(stepOf(plan, 'indexes/skiff').params).toMatchObject({
    children: [{ platform: 'linux/amd64' }],
    dropped: [{ platform: 'linux/arm64', because: expect.stringContaining('platforms.linux-aarch64.unserved: drop') }],
  });
  expect(planFault(plan)).toBeNull();
  const all = text.replace('linux-x86_64: {}', 'linux-x86_64: { unserved: drop }');
  const none = withoutUnserved(planOf(all), ['linux-aarch64', 'linux-x86_64']);
  expect(idsOf(none.plan, 'indexes')).toEqual([]);
  expect(idsOf(none.plan, 'publish')).toEqual([]);
});

test('given two images of one platform, or a platform without containers, then the plan is refused', () => {
  const old = HEAD.replace('[linux-x86_64]', '{ linux-x86_64: {}, old: { like: linux-x86_64 } }');
  expect(idsOf(planOf(`${old}images: { skiff: {} }\n`), 'images')).toEqual(['images/skiff/linux-x86_64']);
  const both = `${old}images: { skiff: { platforms: [linux-x86_64, old], index: platform } }\n`;
  expect(problemsOf(both)).toMatchObject([
    { code: 'WRONG_VALUE', path: 'images.skiff.index', message: expect.stringContaining('are both linux/amd64') },
  ]);
  const facts = someFacts();
  const mac = { ...facts.platforms['linux-x86_64']!, oci: undefined };
  const platforms = { ...facts.platforms, mac } as typeof facts.platforms;
  const text = `${HEAD.replace('[linux-x86_64]', '[linux-x86_64, mac]')}images: { skiff: { platforms: [mac] } }\n`;
  expect(problemsOf(text, { platforms })).toMatchObject([{ code: 'WRONG_VALUE', path: 'images.skiff' }]);
});

test('given a matrix with exclusions, then it is planned as declared, and unserved GPU tests are dropped with a reason', () => {
  const text = `${TWO}wheels: { skiff: { platforms: [linux-x86_64, linux-aarch64] } }
images:
  skiff:
    needs: [wheels/skiff]
    on: linux-x86_64
    matrix: { accelerator: [cpu, cu12.8.1-cudnn] }
    exclude: [{ platform: linux-aarch64, accelerator: cu12.8.1-cudnn }]
    index: platform
    args: { ACCELERATOR: '{accelerator}' }
    tags: ['{version}-{python}-{accelerator}']
tests:
  gpu: { needs: ['images/skiff[python=cp312,accelerator=cu12.8.1-cudnn]'], in: image, on: gpu, unserved: drop, run: 'true', expect: ok }
`;
  const made = planOf(text, emulating());
  expect(idsOf(made, 'images')).toHaveLength(6);
  expect(stepOf(made, 'images/skiff/cp312/linux-x86_64/cu12.8.1-cudnn').params).toMatchObject({
    args: { ACCELERATOR: 'cu12.8.1-cudnn' },
  });
  expect(index(text, 'indexes/skiff/cp312/cu12.8.1-cudnn').params.children).toHaveLength(1);
  const { plan } = withoutUnserved(made, ['gpu', 'linux-aarch64']);
  expect(plan.dropped.map(({ id }) => id)).toContain('tests/gpu/linux-x86_64');
  expect(plan.steps.some(({ id }) => id === 'images/skiff/cp312/linux-x86_64/cu12.8.1-cudnn')).toBe(true);
});

describe('an image that was already published', () => {
  const promoted = (from: string, more = '') => `${HEAD}images: { skiff: { from: ${from}${more} } }
publish: { hub: { kind: oci, files: [images/skiff], repository: a/skiff }, shelf: { kind: python, files: [wheels/skiff] } }
wheels: { skiff: {} }
point: [{ target: hub, name: latest, to: images/skiff }]
`;

  test('when it is promoted, then it is taken by digest and published under the final tags, and nothing builds it', () => {
    const made = planOf(promoted("{ target: hub, tag: '{version}-rc.1' }"));
    expect(planFault(made)).toBeNull();
    expect(made.steps.filter(({ kind }) => kind === 'buildImage' || kind === 'makeBase')).toEqual([]);
    expect(stepOf(made, 'images/skiff')).toMatchObject({
      kind: 'promoteImage',
      params: { tag: '1.0-rc.1', digest: null, tags: ['1.0'], from: { name: 'hub', repository: 'a/skiff' } },
    });
    expect(idsOf(made, 'publish')).toContain('publish/hub/images.skiff');
    expect(stepOf(made, 'point/hub/latest').params).toMatchObject({ to: 'images/skiff' });
  });

  test.each([
    ['a target that holds no images', "{ target: shelf, tag: 'x' }", '', 'UNKNOWN_TARGET', 'images.skiff.from.target'],
    ['an unknown target', "{ target: pub, tag: 'x' }", '', 'UNKNOWN_TARGET', 'images.skiff.from.target'],
    [
      'a key of images that are built',
      "{ target: hub, tag: 'x' }",
      ', index: platform',
      'WRONG_VALUE',
      'images.skiff.index',
    ],
    ['no digest', "{ target: hub, tag: 'x', digest: abc }", '', 'WRONG_VALUE', 'images.skiff.from.digest'],
  ])('given %s, then it is refused', (_, from, more, code, path) => {
    expect(problemsOf(promoted(from, more))).toMatchObject([{ code, path }]);
  });
});

describe('tags by rules', () => {
  const rules = TagRules.parse({
    versions: [
      {
        rule: 'nightly',
        channel: 'nightly',
        when: { schedule: 'nightly' },
        tags: ['{yymmdd}.{sha6}'],
        moves: ['nightly'],
      },
      { rule: 'build', channel: 'other', tags: ['{sha6}', '{build}'] },
    ],
    parts: [
      {
        axis: 'platform',
        rows: [
          { rule: 'x86_64', is: 'linux-x86_64', add: [''] },
          { rule: 'arm', is: '.+aarch64', add: ['-arm'] },
        ],
      },
    ],
  });
  const facts = (given: TagVariables) => ({
    ...emulating(),
    git: { commit: 'c0ffee'.padEnd(40, '0'), branch: 'main', epoch: 1_763_683_200, files: {} },
    tagRules: { 'tags.yaml': rules },
    given,
  });
  const text = `${TWO.replace(/source: .*/, 'source: { git: ., commit: HEAD }')}images: { skiff: { on: linux-x86_64, index: platform, tags: tags.yaml } }
publish: { hub: { kind: oci, files: [images/skiff], repository: a/skiff } }
`;

  test('given a nightly, then one tag has the day of the commit, and a pointer follows commits', () => {
    const made = planOf(text, facts({ schedule: 'nightly' }));
    expect(made.given).toEqual({ schedule: 'nightly' });
    expect(made.effects.map(({ name, what }) => `${what} ${name}`)).toEqual([
      'publish a/skiff:251121.c0ffee-arm',
      'publish a/skiff:251121.c0ffee',
      'move pointer a/skiff:nightly',
      'move pointer a/skiff:nightly-arm',
    ]);
    expect(stepOf(made, 'point/hub/nightly').params).toMatchObject({ to: 'indexes/skiff', when: 'newest commit' });
    expect(planFault(made)).toBeNull();
  });

  test('given another build, then no pointer moves, and missing values make no tag', () => {
    const names = (given: TagVariables) => planOf(text, facts(given)).effects.map(({ name }) => name);
    expect(names({})).toEqual(['a/skiff:c0ffee-arm', 'a/skiff:c0ffee']);
    expect(names({ build: '77' })).toEqual(
      expect.arrayContaining(['a/skiff:c0ffee', 'a/skiff:77', 'a/skiff:77-arm', 'a/skiff:c0ffee-arm']),
    );
    expect(planOf(text, facts({})).given).toBeUndefined();
  });

  test('given a source without a commit, when a pointer follows commits, then the plan is refused', () => {
    const sdist = INDEX.replace('to: images/skiff }', 'to: images/skiff, when: newest commit }');
    expect(problemsOf(`${TWO}${sdist}`, emulating())).toMatchObject([{ code: 'WRONG_VALUE', path: 'point[0].when' }]);
  });
});

test('given the source as context, then the image needs the source, with its Dockerfile inside it', () => {
  const made = planOf(
    `${HEAD}${BASES}wheels: { skiff: {} }\nimages: { skiff: { base: sea, needs: [wheels/skiff], matrix: { python: [cp311] }, context: source, dockerfile: docker/Own } }\n`,
  );
  const image = made.steps.find(({ kind }) => kind === 'buildImage') as StepOf<'buildImage'>;
  expect(planFault(made)).toBeNull();
  expect(image).toMatchObject({ params: { dockerfile: 'docker/Own', context: 'source' }, files: [] });
  expect(image.needs.some((id) => id.startsWith('source/'))).toBe(true);
});
