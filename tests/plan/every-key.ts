import { Announce, Notify, Remind } from '../../src/model/schema/sections/notify.js';
import { Command, Jar, Sdist, Wheel } from '../../src/model/schema/sections/builds.js';
import { Cluster, ClusterTest } from '../../src/model/schema/sections/clusters.js';
import { Gate } from '../../src/model/schema/sections/gates.js';
import { Base, Image, Point, Test } from '../../src/model/schema/sections/images.js';
import { Lock } from '../../src/model/schema/sections/locks.js';
import { Publish } from '../../src/model/schema/sections/publish.js';
import { StandingsSection } from '../../src/model/schema/sections/standings.js';
import { Report } from '../../src/model/schema/sections/reports.js';

/** An entry of a release file to which each key of its schema is added in turn. */
export interface Row {
  readonly section: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly schema: { readonly shape: object };
  /** Values that only this entry takes. */
  readonly says?: Readonly<Record<string, unknown>>;
}

const AXES = { flavour: ['plain', 'salted'] };
const SALTED = [{ flavour: 'salted' }];
const BUILT = { matrix: AXES };
const EVERY_AXIS = { flavour: 'smoked', python: 'cp311', platform: 'linux-x86_64' };

/** A value of each key that no entry of `ROWS` has by itself. */
export const SAYS: Readonly<Record<string, unknown>> = {
  source: 'sloop-2.0',
  lock: 'own',
  sameAs: 'first',
  again: [{ platform: 'linux-x86_64', python: 'cp312', file: 'a.whl', digest: `sha256:${'a'.repeat(64)}`, build: 1 }],
  refresh: '7d',
  retryFailed: '7d',
  requires: ['setuptools<80'],
  cutoff: '2026-11-01',
  needs: ['deps/build'],
  matrix: { colour: ['red', 'blue'] },
  exclude: SALTED,
  include: [{ flavour: 'smoked' }],
  on: 'gpu',
  unserved: 'wait 4h',
  timeout: '7m',
  retry: { infra: { times: 9 } },
  onFailure: 'tell',
  files: ['smoke.py'],
  platforms: ['linux-x86_64'],
  pythons: ['cp311'],
  platform: 'none',
  python: 'none',
  cross: 'zig',
  network: true,
  env: { SAIL: 'red' },
  folder: 'hull',
  tools: ['cmake'],
  packages: ['zlib1g-dev'],
  base: 'sea',
  project: 'sloop',
  from: 'source',
  run: 'make other',
  outputs: ['{out}/*.other'],
  overlay: 'overlay',
  prepare: { run: 'make ready' },
  repair: false,
  commit: { file: 'skiff/_commit.py', match: '"(.*)"' },
  accept: { JAR_EMPTY: 'it only marks a version' },
  modules: ['core'],
  properties: { revision: '1.0' },
  with: ['sources'],
  libraries: ['{out}/*.so'],
  artifact: 'org.skiff:sloop',
  natives: { folder: 'lib/{native}' },
  sign: '$KEY',
  after: ['tests/sail'],
  expect: 'other',
  result: 'other.xml',
  artifacts: ['*.log'],
  when: 'built',
};

const wheel = (builder: string, more: object = {}, says: object = {}): Row => ({
  section: 'wheels',
  name: 'hull',
  entry: { ...BUILT, builder, ...more },
  schema: Wheel,
  says: {
    builder: builder === 'pip' ? 'uv' : 'pip',
    include: [EVERY_AXIS],
    accept: { WHEEL_EMPTY: 'it only marks a version' },
    from: { at: 'https://wheels.example.invalid/{commit}/' },
    ...says,
  },
});
const sdist = (more: object, says: object = {}): Row => ({
  section: 'sdists',
  name: 'hull',
  entry: { ...BUILT, ...more },
  schema: Sdist,
  says: { builder: 'build', ...says },
});
const jar = (more: object, name = 'hull', says: object = {}): Row => ({
  section: 'jars',
  name,
  entry: { ...BUILT, ...more },
  schema: Jar,
  says: { builder: 'command', natives: { folder: 'lib/{native}', platforms: ['linux-x86_64'] }, ...says },
});
const lock = (tool: string, more: object): Row => ({
  section: 'deps',
  name: 'hull',
  entry: { ...BUILT, tool, ...more },
  schema: Lock,
  says: {
    needs: ['steps/chart'],
    include: [EVERY_AXIS],
    tool: tool === 'uv' ? 'pip-tools' : 'uv',
    requires: ['wheel'],
    in: ['more.txt'],
    constraints: ['attrs<30'],
    options: ['--upgrade'],
    without: ['attrs'],
    cutoff: '2026-11-01',
    lock: 'deps.lock',
    write: 'exact',
    drift: 'other.lock',
    skip: { cp312: 'not yet' },
  },
});
const image = (more: Row['entry'], says: object = {}): Row => ({
  section: 'images',
  name: 'hull',
  entry: more,
  schema: Image,
  says: {
    matrix: AXES,
    exclude: [{ platform: 'linux-x86_64' }],
    include: [{ platform: 'linux-x86_64', flavour: 'smoked' }],
    needs: ['wheels/skiff[python=cp311]'],
    from: { target: 'hub', tag: '0.9' },
    dockerfile: 'files/Dockerfile',
    context: 'source',
    args: { SAIL: 'red' },
    labels: { sail: 'red' },
    tags: ['{version}-{platform}'],
    index: 'platform',
    ...says,
  },
});
const check = (inside: string, subject: string, more: object = {}, says: object = {}): Row => ({
  section: 'tests',
  name: 'hull',
  entry: { ...BUILT, in: inside, needs: [subject], run: 'true', expect: 'ok', ...more },
  schema: Test,
  says: {
    needs: [subject, 'steps/chart'],
    in: inside === 'host' ? 'venv' : 'host',
    include: [EVERY_AXIS],
    ...says,
  },
});
const target = (kind: string, files: readonly string[] | null, more: object = {}): Row => ({
  section: 'publish',
  name: 'out',
  entry: { kind, ...(files && { files }), ...more },
  schema: Publish,
  says: {
    kind: kind === 's3' ? 'maven' : 's3',
    files: ['steps/chart'],
    needs: ['verify/files'],
    verify: 'echo sails',
    network: true,
    repository: 'a/sloop',
    observe: 'look again',
    upload: 'send again',
    undo: 'remove it',
    secrets: ['TOKEN'],
    path: 'x/{file}',
    tag: 'r{version}',
    message: 'sails',
    mode: 'automatic',
  },
});
const outlet = (section: string, schema: Row['schema'], entry: Row['entry']): Row => ({
  section,
  name: 'crew',
  entry,
  schema,
  says: {
    on: ['gate'],
    webhook: '$OTHER',
    headers: { 'X-Sail': 'red' },
    command: './tell.sh',
    secrets: ['TOKEN'],
    rehearsal: true,
  },
});
const gate = (entry: Row['entry'], says: object = {}): Row => ({
  section: 'gates',
  name: 'ship',
  entry,
  schema: Gate,
  says: {
    approvers: { crew: ['smoke.py', 'Dockerfile'] },
    quorum: 1,
    expires: '1h',
    self: false,
    signed: 'optional',
    for: '3h',
    tests: 'passed',
    before: ['publish/files'],
    ...says,
  },
});
const [BaseImage, BaseDebian] = Base.options;
const [LocalCluster, DockerCluster, SshCluster, JobsCluster, CommandCluster] = Cluster.options;
const LINES = { up: 'true', nodes: 'echo 1', put: 'true', get: 'true', run: 'true', down: 'true' };
const cluster = (entry: object, schema: Row['schema'], says: object = {}): Row => ({
  section: 'clusters',
  name: 'pond',
  entry: { ...entry },
  schema,
  says: { manager: 'other', nodes: 3, cpus: 4, up: '3m', ...says },
});

const [RowsReport, GithubReport, PostgresReport] = Report.options;
const report = (kind: string, more: object, schema: Row['schema']): Row => ({
  section: 'reports',
  name: 'crew',
  entry: { kind, ...more },
  schema,
  says: {
    kind: kind === 'rows' ? 'github' : 'rows',
    to: 'rest',
    repository: 'skiff/sloop',
    token: '$OTHER',
    blocker: 'stop',
    table: 'sloops',
    onFailure: 'hold',
  },
});

/** Every section, by each kind of its entries. */
export const ROWS: Readonly<Record<string, Row>> = {
  'a lock by uv': lock('uv', { requires: ['setuptools'] }),
  'a lock by pip-tools': lock('pip-tools', { requires: ['setuptools'] }),
  'a lock by relax': lock('relax', { in: ['full.lock'] }),
  'a lock for all': lock('uv', { requires: ['setuptools'], python: 'none', platform: 'none' }),
  'an sdist by uv': sdist({ builder: 'uv' }),
  'an sdist by a command': sdist({ builder: 'command', run: 'make sdist' }),
  'an sdist in a container': sdist({ base: 'sea' }, { base: 'lake' }),
  "the source's own sdist": sdist({ from: 'source' }),
  'a wheel by uv': wheel('uv'),
  'a wheel by build': wheel('build'),
  'a wheel by pip': wheel('pip'),
  'a wheel by cibuildwheel': wheel('cibuildwheel', { base: 'sea' }, { base: 'lake' }),
  'a wheel that is taken': {
    ...wheel('uv', {}, { project: 'raft', from: { at: 'https://wheels.example.invalid/{commit}/', wait: '3h' } }),
    name: 'sloop',
    entry: { ...BUILT, from: { at: 'https://wheels.example.invalid/{commit}/' } },
  },
  'a wheel by a command': wheel('command', { run: 'make wheel' }),
  'a wheel with a preparation': wheel('uv', { prepare: { run: 'make ready' } }, { prepare: { run: 'make otherwise' } }),
  'a wheel for all platforms': wheel('uv', { platform: 'none' }),
  'a wheel for all Pythons': wheel('uv', { python: 'none' }),
  'a JAR by Maven': jar({}),
  'a JAR by a command': jar({ builder: 'command', run: 'make jar' }, 'hull', { builder: 'maven' }),
  'a JAR that gathers libraries': jar({ needs: ['jars/keel[*]'], natives: 'lib/{native}' }, 'hull', {
    needs: ['jars/keel[*]', 'deps/build'],
    natives: { folder: 'lib/{native}', as: 'classifier' },
  }),
  'native libraries': jar({ builder: 'command', run: 'make lib', libraries: ['{out}/*.so.1'] }, 'keel', {
    builder: 'maven',
    include: [{ flavour: 'smoked', platform: 'linux-x86_64' }],
  }),
  'an image': image({}),
  'an image from the source': image({ context: 'source' }, { context: 'files' }),
  'a promoted image': image({ from: { target: 'hub', tag: '1.0-rc.1' } }),
  'a test in a venv': check('venv', 'wheels/skiff'),
  'a test in an image': check('image', 'images/skiff', {}, { platforms: ['linux-aarch64'] }),
  'a test in a JVM': check('jvm', 'jars/skiff'),
  'a test on the host': check('host', 'wheels/skiff'),
  'a test on a cluster': {
    section: 'tests',
    name: 'hull',
    entry: { ...BUILT, cluster: 'pond', needs: ['wheels/skiff'], run: 'true' },
    schema: ClusterTest,
    says: {
      needs: ['wheels/skiff', 'steps/chart'],
      include: [EVERY_AXIS],
      title: 'hull=1',
      cluster: 'bay',
      wait: { nodes: 1, for: '1m' },
      by: 'client',
      long: true,
      artifact: 'out/hull.bin',
      alerts: [{ value: 'speed', atMost: 3 }],
      pool: { name: 'tiny', limit: 3 },
      owner: 'crew',
      smoke: true,
      tags: { team: 'crew' },
      repeat: 2,
    },
  },
  'a cluster of processes': cluster({ manager: 'local' }, LocalCluster),
  'a cluster of containers': cluster({ manager: 'docker', base: 'sea' }, DockerCluster, {
    base: 'lake',
    memory: '900m',
  }),
  'a cluster of hosts': cluster({ manager: 'ssh' }, SshCluster),
  'a cluster that runs already': cluster({ manager: 'jobs', address: 'http://pond:8265' }, JobsCluster, {
    address: 'http://lake:8265',
  }),
  'a cluster by commands': cluster({ manager: 'command', lines: LINES }, CommandCluster, {
    lines: { ...LINES, up: './up', attach: './attach' },
  }),
  'a command': { section: 'steps', name: 'hull', entry: { ...BUILT, run: 'make' }, schema: Command },
  'a command that tidies up': {
    section: 'steps',
    name: 'hull',
    entry: { after: ['tests/sail'], run: 'make clean' },
    schema: Command,
    says: { after: ['tests/sail', 'wheels/skiff'], exclude: [{ python: 'cp311' }] },
  },
  'a gate of people': gate({ approvers: { crew: ['smoke.py', 'tell.sh'] } }, { quorum: 2 }),
  'a gate of time': gate({ for: '2h' }),
  'a Python index': target('python', ['wheels/skiff']),
  'a Maven repository': target('maven', ['jars/skiff']),
  'a registry of images': target('oci', ['images/skiff'], { repository: 'a/skiff' }),
  'a bucket': target('s3', ['wheels/skiff']),
  'a target by commands': target('command', ['wheels/skiff'], { observe: 'look', upload: 'send' }),
  'Maven Central': target('central', ['jars/skiff']),
  'a tag on the commit': target('git-tag', null),
  'a static index': target('simple', ['wheels/skiff']),
  'an announcement by webhook': outlet('announce', Announce, { webhook: '$HOOK' }),
  'an announcement by command': outlet('announce', Announce, { command: './say.sh' }),
  'a listener by webhook': outlet('notify', Notify, { webhook: '$HOOK' }),
  'a listener by command': outlet('notify', Notify, { command: './say.sh' }),
  'a report as rows': report('rows', { to: 'files' }, RowsReport),
  'a report as issues': report('github', { repository: 'skiff/boat', token: '$TOKEN' }, GithubReport),
  'a report in a table': report('postgres', { table: 'boats' }, PostgresReport),
  'a base image': {
    section: 'bases',
    name: 'lake',
    entry: { image: `lake@sha256:${'a'.repeat(64)}` },
    schema: BaseImage,
    says: { image: `lake@sha256:${'b'.repeat(64)}` },
  },
  'a base of Debian': {
    section: 'bases',
    name: 'lake',
    entry: { debian: 'bookworm' },
    schema: BaseDebian,
    says: { debian: 'trixie', bindep: ['constraints'] },
  },
  'standings of tests': {
    section: 'standings',
    name: '',
    entry: { branch: 'main' },
    schema: StandingsSection,
    says: { branch: 'other', jail: { after: 4 }, flaky: { calm: 3 }, infra: 'counts', bisect: 'start' },
  },
  reminders: {
    section: 'remind',
    name: '',
    entry: {},
    schema: Remind,
    says: { after: '5h', every: '48h' },
  },
  'a pointer': {
    section: 'point',
    name: '0',
    entry: { target: 'hub', name: 'latest', to: 'images/skiff' },
    schema: Point,
    says: { target: 'files', name: 'newest', to: 'wheels/skiff', when: 'always' },
  },
};
