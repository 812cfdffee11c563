import { Jar, Sdist, Wheel } from '../../src/model/schema/sections/builds.js';
import { Cluster } from '../../src/model/schema/sections/clusters.js';
import { Gate } from '../../src/model/schema/sections/gates.js';
import { Base, Image, Test } from '../../src/model/schema/sections/images.js';
import { Lock } from '../../src/features/locks/schemas/lock.js';
import { Publish } from '../../src/model/schema/sections/publish.js';
import { Github, Postgres, Rows } from '../../src/model/schema/sections/reports.js';

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
export const BUILT = { matrix: AXES };
export const EVERY_AXIS = { flavour: 'smoked', python: 'cp311', platform: 'linux-x86_64' };

/** A value of each key that no entry of `ROWS` has by itself. */
export const SAYS: Readonly<Record<string, unknown>> = {
  source: 'sloop-2.0',
  tree: ['tests'],
  lock: 'own',
  sameAs: 'first',
  again: [{ platform: 'linux-x86_64', python: 'cp312', file: 'a.whl', digest: `sha256:${'a'.repeat(64)}`, build: 1 }],
  refresh: '7d',
  retryFailed: '7d',
  requires: ['setuptools<80'],
  cutoff: '2026-11-01',
  pip: '25.0',
  needs: ['deps/build'],
  matrix: { colour: ['red', 'blue'] },
  exclude: SALTED,
  include: [{ flavour: 'smoked' }],
  on: 'gpu',
  unserved: 'wait 4h',
  timeout: '7m',
  retry: { infra: { times: 9 } },
  onFailure: 'tell',
  parallel: 1,
  inputs: 'optional',
  cache: false,
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
  profiles: ['release'],
  threads: 2,
  java: 8,
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

export const wheel = (builder: string, more: object = {}, says: object = {}): Row => ({
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
export const sdist = (more: object, says: object = {}): Row => ({
  section: 'sdists',
  name: 'hull',
  entry: { ...BUILT, ...more },
  schema: Sdist,
  says: { builder: 'build', ...says },
});
export const jar = (more: object, name = 'hull', says: object = {}): Row => ({
  section: 'jars',
  name,
  entry: { ...BUILT, ...more },
  schema: Jar,
  says: {
    builder: 'command',
    prepare: { run: 'make poms' },
    natives: { folder: 'lib/{native}', platforms: ['linux-x86_64'] },
    ...says,
  },
});
export const lock = (tool: string, more: object): Row => ({
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
export const image = (more: Row['entry'], says: object = {}): Row => ({
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
export const check = (inside: string, subject: string, more: object = {}, says: object = {}): Row => ({
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
export const target = (kind: string, files: readonly string[] | null, more: object = {}): Row => ({
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
export const outlet = (section: string, schema: Row['schema'], entry: Row['entry']): Row => ({
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
export const gate = (entry: Row['entry'], says: object = {}): Row => ({
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
export const [BaseImage, BaseDebian] = Base.options;
export const [LocalCluster, DockerCluster, SshCluster, JobsCluster, CommandCluster] = Cluster.options;
export const LINES = { up: 'true', nodes: 'echo 1', put: 'true', get: 'true', run: 'true', down: 'true' };
export const cluster = (entry: object, schema: Row['schema'], says: object = {}): Row => ({
  section: 'clusters',
  name: 'pond',
  entry: { ...entry },
  schema,
  says: { manager: 'other', nodes: 3, cpus: 4, up: '3m', ...says },
});

export { Github as GithubReport, Postgres as PostgresReport, Rows as RowsReport };
export const report = (kind: string, more: object, schema: Row['schema']): Row => ({
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
