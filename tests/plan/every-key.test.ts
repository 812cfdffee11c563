/** @slow */
import { SlipwayFailure, type Problem } from '../../src/model/failure.js';
import { digestOf, type Digest } from '../../src/model/digest.js';
import type { Facts } from '../../src/plan/facts.js';
import { Profile, Queues } from '../../src/model/schema/profile.js';
import { CORE_KEYS, TARGET_SCHEMAS } from '../../src/model/schema/target-schemas.js';
import { basePackageProblems } from '../../src/plan/base-packages.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import { plan } from '../../src/plan/plan.js';
import { bundleOf, HEAD, planOf, problemsOf, sha256, someFacts } from './a-plan.js';
import { type Row, SAYS } from './every-key-entries.js';
import { ROWS } from './every-key.js';

const KINDS = {
  python: { address: 'service:index' },
  maven: { address: 'service:maven' },
  oci: { address: 'service:registry' },
  command: { address: 'channel' },
  s3: { address: 's3://bucket/prefix', endpoint: 'http://127.0.0.1:7070' },
  central: { address: 'http://127.0.0.1:9/', reads: 'http://127.0.0.1:9/maven2/' },
  'git-tag': { address: '../upstream.git' },
  simple: { address: 'service:wheels' },
};

const FACTS: Partial<Facts> = {
  profile: {
    name: 'local',
    content: Profile.parse({
      ...{ rehearsal: false, kinds: KINDS, reports: { crew: { address: '$ADDRESS' } } },
      clusters: { pond: { hosts: ['bow', 'stern', 'mast'], ray: '/opt/ray' } },
    }),
  },
  git: { commit: 'c'.repeat(40), branch: 'main', epoch: 0, files: {} } as unknown as NonNullable<Facts['git']>,
  wheels: {
    sloop: {
      ...{ take: '', commit: 'c'.repeat(40), branch: 'main' },
      from: { at: `https://wheels.example.invalid/${'c'.repeat(40)}/` },
    },
  },
  queues: Queues.parse({
    ...someFacts().queues,
    'linux-x86_64': { window: 2, can: ['host', 'container', 'cross'] },
  }),
  bundle: bundleOf('slipway.yaml', 'Dockerfile', 'files/Dockerfile', 'smoke.py', 'overlay/setup.py', 'tell.sh'),
};

/** The entries that rows need, publish and name. */
const REST = {
  slipway: 1,
  release: { name: 'skiff', version: '1.0' },
  platforms: ['linux-x86_64', 'linux-aarch64'],
  pythons: ['cp311', 'cp312'],
  sources: { 'sloop-2.0': { sdist: 'sloop==2.0', sha256: 'b'.repeat(64) } },
  deps: { build: { requires: ['setuptools'] } },
  wheels: { skiff: {} },
  jars: { skiff: {}, keel: { builder: 'command', run: 'make lib', libraries: ['{out}/*.so'] } },
  bases: { sea: { debian: 'bookworm' }, lake: { debian: 'bookworm' } },
  images: { skiff: { base: 'lake', platforms: ['linux-x86_64'] } },
  clusters: { pond: { manager: 'local' }, bay: { manager: 'local', cpus: 2 } },
  tests: {
    sail: { needs: ['wheels/skiff'], run: 'true', expect: 'ok' },
    race: { needs: ['wheels/skiff'], cluster: 'pond', run: 'true' },
  },
  steps: { chart: { run: 'make chart', outputs: ['*.chart'] } },
  publish: {
    files: { kind: 's3', files: ['wheels/skiff'], path: 'files/{file}' },
    hub: { kind: 'oci', files: ['images/skiff'], repository: 'hub/skiff' },
  },
  standings: { branch: 'main' },
  notify: { mates: { webhook: '$MATES' } },
} as const;

/** The release file with one entry as it says. */
function fileWith({ section, name }: Row, entry: object): string {
  const sdist = 'from' in entry && entry.from === 'source';
  const source = sdist ? { sdist: 'skiff==1.0', sha256: 'a'.repeat(64) } : { git: '.' };
  const before = (REST as unknown as Record<string, object>)[section] ?? {};
  const said = section === 'point' ? [entry] : name === '' ? entry : { ...before, [name]: entry };
  return JSON.stringify({ ...REST, source, [section]: said });
}

const factsOf = ({ entry }: Row): Partial<Facts> => (entry['from'] === 'source' ? { ...FACTS, git: null } : FACTS);

const made = new Map<string, Digest | readonly Problem[]>();

/** The digest of a file's plan, or its problems. Plans a file once: most keys of a row are compared with the same file. */
function planned(text: string, row: Row): Digest | readonly Problem[] {
  const facts = factsOf(row);
  const name = `${facts === FACTS ? 'git' : 'sdist'} ${text}`;
  const answer = made.get(name) ?? planOrProblems(text, facts);
  made.set(name, answer);
  return answer;
}

function planOrProblems(text: string, facts: Partial<Facts>): Digest | readonly Problem[] {
  try {
    const file = readReleaseFile(text, 'slipway.yaml');
    const wrong = basePackageProblems(file);
    return wrong.length > 0 ? wrong : digestOf(plan(file, someFacts(facts)), sha256);
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
}

/** Keys that make another kind of entry of it: what that kind lacks, or has too much, is told at the keys concerned. */
const SHAPES = ['kind', 'builder', 'from', 'after', 'libraries'];

/** A problem at the key, or one of the entry that names the key. */
function isAbout({ path = '', message, next }: Problem, { section, name }: Row, key: string): boolean {
  const entry = section === 'point' ? 'point[0]' : name === '' ? section : `${section}.${name}`;
  if (path !== entry && !path.startsWith(`${entry}.`)) return false;
  const says = new RegExp(`\\b${key.replace(/s$/, '')}s?\\b`);
  return SHAPES.includes(key) || says.test(path.slice(entry.length)) || says.test(message) || says.test(next);
}

/** Keys of `publish:` that features bring. Their own tests set them. */
const OF_FEATURES = Object.values(TARGET_SCHEMAS)
  .flatMap(({ entry }) => Object.keys(entry))
  .filter((key) => !(key in CORE_KEYS));

const CASES = Object.entries(ROWS).flatMap(([title, row]) =>
  Object.keys(row.schema.shape)
    .filter((key) => row.section !== 'publish' || !OF_FEATURES.includes(key))
    .map((key): [string, string, Row] => [title, key, row]),
);

test.each(Object.entries(ROWS))('given %s, then its keys are planned without problems', (_, row) => {
  expect(problemsOf(fileWith(row, row.entry), factsOf(row))).toEqual([]);
});

test.each(CASES)('given %s, when `%s` is set, then the plan changes, or the key is refused', (_, key, row) => {
  const value = row.says?.[key] ?? SAYS[key];
  expect(value).toBeDefined();
  const { [key]: own, ...others } = row.entry;
  const said = fileWith(row, { ...others, [key]: value });
  // An entry that has the only value of a key by itself is compared with one without the key.
  const before = fileWith(row, own === value ? others : row.entry);
  const found = planned(said, row);
  if (typeof found !== 'string') expect(found.filter((problem) => isAbout(problem, row, key))).not.toEqual([]);
  else expect(found).not.toBe(planned(before, row));
});

/** Texts that no shell reads. */
const TEXTS: readonly [string, Readonly<Record<string, unknown>>][] = [
  ['a lock by uv', { requires: ['skiff-core=={version}'], in: ['{version}.in'], constraints: ['{version}.txt'] }],
  ['a lock by uv', { options: ['--find-links {version}'], drift: '{version}.lock' }],
  ['an sdist by a command', { outputs: ['{out}/hull-{version}.tar.gz'], folder: 'hull-{version}' }],
  ['a wheel by a command', { outputs: ['{out}/hull-{version}*.whl'], env: { SAIL: '{version}' } }],
  [
    'a wheel with a preparation',
    { prepare: { run: 'make', normalise: ['lib-{version}.zip'], env: { SAIL: '{version}' } } },
  ],
  ['a JAR by Maven', { modules: ['core-{version}'], properties: { revision: '{version}' } }],
  ['a JAR by a command', { outputs: ['{out}/hull-{version}.jar'] }],
  ['native libraries', { libraries: ['{out}/libhull-{version}.so'] }],
  ['an image', { args: { SAIL: '{version}' }, labels: { sail: '{version}' }, tags: ['{version}-{platform}'] }],
  ['a test in a venv', { expect: 'hull {version}', result: 'hull-{version}.xml', artifacts: ['hull-{version}.log'] }],
  ['a command', { expect: 'hull {version}', outputs: ['hull-{version}.zip'] }],
  ['a bucket', { path: '{version}/{file}' }],
  ['a tag on the commit', { tag: 'r{version}', message: 'hull {version}' }],
];

test.each(TEXTS)('given %s, then the placeholders of %j are filled', (title, texts) => {
  const row = ROWS[title]!;
  const { steps } = planOf(fileWith(row, { ...row.entry, ...texts }), factsOf(row));
  expect(JSON.stringify(steps)).not.toContain('{version}');
});

const TAKEN_AS_THEY_ARE = ["the source's own sdist", 'a wheel that is taken'];
const WITH_ENV = CASES.filter(
  ([title, key, { schema }]) => key === 'env' && !TAKEN_AS_THEY_ARE.includes(title) && schema,
);

test.each(WITH_ENV)('given %s, when a variable names a file, then the step reads that file', (_, _key, row) => {
  const made = planOf(fileWith(row, { ...row.entry, env: { SAIL: '{files}/smoke.py' } }), factsOf(row));
  const own = made.steps.filter(({ id }) => id.startsWith(`${row.section}/${row.name}`));
  expect(own.map(({ files }) => files)).toEqual(own.map(() => ['smoke.py']));
});

test('given `remind` without a listener for reminders, then it is refused', () => {
  const file = {
    ...REST,
    source: { git: '.' },
    remind: { after: '5h' },
    notify: { mates: { on: ['gate'], webhook: '$A' } },
  };
  expect(problemsOf(JSON.stringify(file), FACTS)).toMatchObject([
    { code: 'WRONG_VALUE', path: 'remind', next: expect.stringContaining('`reminder`') },
  ]);
});

test.each([
  ['exclude: [{ python: cp39 }]', 'deps.build.exclude[0]', 'cp39'],
  ['skip: { cp31: not yet }', 'deps.build.skip.cp31', 'cp311'],
  ['platform: none, matrix: { platform: [linux-x86_64] }', 'deps.build.matrix.platform', 'platform: none'],
])('given a lock with %s, then it is refused', (said, path, word) => {
  const [problem, ...more] = problemsOf(`${HEAD}deps: { build: { requires: [x], ${said} } }\n`);
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ code: 'WRONG_VALUE', path, message: expect.stringContaining(word) });
});

test('given an entry of native libraries, then keys for collecting them are refused', () => {
  const row = ROWS['native libraries']!;
  const said = fileWith(row, { ...row.entry, natives: { folder: 'lib/{native}', as: 'classifier', wait: '5m' } });
  expect(problemsOf(said, FACTS).map(({ path }) => path)).toEqual(['jars.keel.natives.as', 'jars.keel.natives.wait']);
});

test('given an sdist built in a container, then the proof of its queue asks for Docker', () => {
  const row = ROWS['an sdist in a container']!;
  const { steps } = planOf(fileWith(row, row.entry), FACTS);
  const proof = steps.find(({ id }) => id === 'prove/queue/linux-x86_64');
  expect(proof?.params).toMatchObject({ tools: expect.arrayContaining(['docker']) });
});
