import { HEAD, imported, told, withTests } from './ray-files.js';

const BYOD = {
  base: 'node',
  dockerfile: 'release/byod/Dockerfile',
  versions: { '2.50.0': 'ray-2-50' },
  network: false,
};
const FILES = {
  ...withTests(`${HEAD}- name: plain
- name: one
  python: '3.11'
  cluster: { byod: { post_build_script: a.sh, python_depset: data.lock } }
- name: same
  python: '3.11'
  cluster: { byod: { post_build_script: copy_of_a.sh, python_depset: data.lock } }
- name: other
  python: '3.11'
  cluster: { byod: { post_build_script: b.sh } }
- name: old
  cluster: { ray_version: 2.50.0 }
`),
  'release/ray_release/byod/a.sh': 'pip install x\n',
  'release/ray_release/byod/copy_of_a.sh': 'pip install x\n',
  'release/ray_release/byod/b.sh': 'pip install y\n',
  'release/ray_release/byod/data.lock': 'x==1\n',
};

test('given custom images, when `byod` says how, then each content is one entry, and its tests need it', () => {
  const { entries, findings, notices } = imported(FILES, { byod: BYOD });
  expect(findings).toEqual([]);
  expect(notices).toEqual([]);
  const images = entries.filter(({ section }) => section === 'images');
  expect(images.map(({ name }) => name)).toEqual([1, 2, 3].map(() => expect.stringMatching(/^byod-[0-9a-f]{12}$/)));
  expect(images[0]).toMatchObject({
    origin: { file: 'release/release_tests.yaml', line: 10 },
    entry: {
      ...{ base: 'node', needs: ['wheels/ray'], pythons: ['cp311'], context: 'source' },
      dockerfile: 'release/byod/Dockerfile',
      args: {
        ...{ PYTHON: '3.11', TYPE: 'cpu', COMMIT: '{commit}' },
        POST_BUILD_SCRIPT: 'release/ray_release/byod/a.sh',
        PYTHON_DEPSET: 'release/ray_release/byod/data.lock',
      },
    },
  });
  expect(images[2]!.entry).toMatchObject({ base: 'ray-2-50', pythons: ['cp310'], args: { RAY_VERSION: '2.50.0' } });
  const needs = Object.fromEntries(entries.map(({ name, entry }) => [name, entry['needs']]));
  const [one, two, old] = images.map(({ name }) => `images/${name}`);
  expect(needs).toMatchObject({
    plain: ['wheels/ray'],
    ...{ one: ['wheels/ray', one], same: ['wheels/ray', one], other: ['wheels/ray', two], old: ['wheels/ray', old] },
  });
});

test('given custom images, when the import has no `byod`, then no step builds them, and a notice says so', () => {
  const { entries, notices } = imported(FILES);
  expect(entries.filter(({ section }) => section === 'images')).toEqual([]);
  expect(notices!.map(({ code }) => code)).toEqual(['RAY_TESTS_IMAGE_NOT_BUILT']);
});

test('given --only, when it names a test without an image, then no image is an entry, and no notice is about one', () => {
  const { entries } = imported(FILES, { byod: BYOD }, { only: ['tests/plain'] });
  expect(entries.filter(({ section }) => section === 'images')).toEqual([]);
  expect(imported(FILES, {}, { only: ['tests/plain'] }).notices).toEqual([]);
});

test('given a ray_version, when no base is named for it, then it is refused with the line to add', () => {
  const { findings } = imported(FILES, { byod: { ...BYOD, versions: {} } });
  expect(findings.map(told)).toEqual([
    `slipway.yaml:2:- RAY_TESTS_NO_VERSION: no base is named for ray_version "2.50.0" of 1 test: old
  Add \`versions: { '2.50.0': NAME }\` with a name in bases: to \`byod\` of the import.
`,
  ]);
});
