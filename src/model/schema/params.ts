import { z } from 'zod';
import { type Digest, isDigest } from '../digest.js';
import type { KindName } from '../kinds.js';
import type { Params } from '../params.js';
import { ABILITIES } from '../worker.js';
import { ClusterTestShape } from './cluster-params.js';
import { TARGET_KINDS } from './sections/publish.js';
import { KeepStandings } from './sections/standings.js';

const text = z.string();
const texts = z.array(text);
const maybe = text.nullable();
const words = z.record(text, text);
const nothing = z.strictObject({});

const Where = z.union([
  z.strictObject({ in: z.literal('host') }),
  z.strictObject({ in: z.literal('container'), base: text }),
]);

const Platform = z.strictObject({
  name: text,
  os: text,
  arch: text,
  libc: z.strictObject({ name: z.enum(['glibc', 'musl', 'macos']), floor: text }).nullable(),
  wheel: text,
  native: text,
  oci: maybe,
  accelerator: text,
});
const Cross = z.enum(['zig', 'gcc']);

const network = z.literal(true).exactOptional();
const vars = { vars: words.exactOptional() };
const command = { run: maybe, ...vars, env: words, folder: text, where: Where, network };
const anyCommand = z.strictObject({ ...command, outputs: texts, expect: maybe });

const Source = z.union([
  z.strictObject({
    ...{ kind: z.literal('sdist'), name: text, version: text, sha256: text },
    ...{ file: text.exactOptional(), path: text.exactOptional() },
  }),
  z.strictObject({ kind: z.literal('git'), commit: text, folder: text.exactOptional() }),
]);

export const Outlet = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('webhook'), url: text, headers: words }),
  z.strictObject({ by: z.literal('command'), line: text, ...vars, secrets: texts }),
]);

const Extra = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('command'), observe: text, upload: text, ...vars, undo: maybe, secrets: texts }),
  z.strictObject({ kind: z.literal('s3'), path: text, endpoint: maybe }),
  z.strictObject({ kind: z.literal('central'), mode: z.enum(['user-managed', 'automatic']), reads: text }),
  z.strictObject({ kind: z.literal('git-tag'), tag: text, message: text, commit: text }),
  z.strictObject({ kind: z.literal('oci'), realm: text }),
  z.strictObject({ kind: z.literal('python'), reads: text }),
  z.strictObject({ kind: z.literal('simple'), reads: maybe, endpoint: maybe }),
]);

const Target = z.strictObject({
  name: text,
  kind: z.enum(TARGET_KINDS),
  address: text,
  repository: maybe,
  username: maybe,
  password: maybe,
  extra: Extra.exactOptional(),
  limits: z.strictObject({ fileMiB: z.number().exactOptional(), totalMiB: z.number().exactOptional() }).exactOptional(),
});

const From = z.union([
  z.strictObject({ image: text }),
  z.strictObject({ debian: text, packages: texts, since: text.exactOptional() }),
]);

const LockTool = z.enum(['uv', 'pip-tools', 'relax']);

const builds = {
  compileLock: z.strictObject({
    name: text,
    tool: LockTool,
    python: text,
    for: Platform,
    requires: texts,
    in: texts,
    constraints: texts,
    cutoff: maybe,
    drift: maybe,
    options: texts.exactOptional(),
    lock: text.exactOptional(),
    exact: z.literal(true).exactOptional(),
    bytes: z.literal(true).exactOptional(),
    without: texts.exactOptional(),
  }),
  takeSdist: z.strictObject({ project: text, version: text.exactOptional() }),
  buildSdist: z.strictObject({
    ...command,
    project: text,
    version: text.exactOptional(),
    builder: z.enum(['uv', 'build', 'command']),
    outputs: texts,
  }),
  prepareSource: z.strictObject({ ...command, project: text, python: maybe, overlay: maybe, normalise: texts }),
  takeWheel: z.strictObject({
    project: text,
    python: maybe,
    for: Platform,
    from: z.union([
      z.strictObject({ at: text }),
      z.strictObject({ name: text, digest: z.custom<Digest>(isDigest), size: z.number() }),
    ]),
    wanted: maybe,
    commit: z.strictObject({ file: text, match: text }).nullable(),
    waitMs: z.number(),
  }),
  buildWheel: z.strictObject({
    ...command,
    project: text,
    version: maybe,
    builder: z.enum(['uv', 'build', 'pip', 'cibuildwheel', 'command']),
    python: maybe,
    interpreter: maybe,
    ownPython: z.literal(true).exactOptional(),
    for: Platform,
    everywhere: z.boolean(),
    cross: Cross.nullable(),
    overlay: maybe,
    lock: z.strictObject({ requires: texts, cutoff: maybe }).exactOptional(),
    sameAs: text.exactOptional(),
    again: z
      .strictObject({ file: text, digest: z.custom<Digest>(isDigest), build: z.int().positive() })
      .exactOptional(),
    retryFailedMs: z.number().positive().exactOptional(),
    outputs: texts,
    repair: z.strictObject({ exclude: texts }).nullable(),
    commit: z.strictObject({ file: text, match: text }).nullable(),
    accept: words,
  }),
  buildNative: z.strictObject({
    ...command,
    project: text,
    version: text,
    for: Platform,
    cross: Cross.nullable(),
    libraries: texts,
    inside: text,
    place: text,
    coordinates: z.strictObject({ groupId: text, artifactId: text }).nullable(),
  }),
  buildJar: z.strictObject({
    ...command,
    project: text,
    version: text,
    builder: z.enum(['maven', 'command']),
    modules: texts,
    properties: words,
    with: z.array(z.enum(['sources', 'javadoc'])),
    outputs: texts,
    natives: z
      .strictObject({
        as: z.enum(['resources', 'classifier']),
        module: maybe,
        waitMs: z.number(),
        from: z.array(z.strictObject({ for: Platform, folder: text, path: text, step: maybe })),
      })
      .nullable(),
    accept: words,
  }),
  signFiles: z.strictObject({ project: text, key: text, passphrase: maybe }),
  makeBase: z.strictObject({ name: text, from: From, oci: maybe }),
  buildImage: z.strictObject({
    project: text,
    version: text,
    platform: text,
    oci: maybe,
    base: maybe,
    context: z.literal('source').optional(),
    dockerfile: text,
    args: words,
    labels: words,
    tags: texts,
    network,
  }),
  assembleIndex: z.strictObject({
    project: text,
    version: text,
    children: z.array(z.strictObject({ step: text, platform: text })),
    dropped: z.array(z.strictObject({ platform: text, because: text })),
    tags: texts,
  }),
  promoteImage: z.strictObject({
    project: text,
    version: text,
    from: Target,
    tag: text,
    digest: maybe,
    tags: texts,
  }),
};

const Reporter = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rows'), target: Target }),
  z.strictObject({
    ...{ kind: z.literal('github'), address: text, repository: text, token: text, blocker: maybe, branch: text },
  }),
  z.strictObject({ kind: z.literal('postgres'), url: text, table: text }),
]);

/** The strict schema of each kind's parameters. A plan from outside is checked against it before a step starts. */
export const PARAMS = {
  ...builds,
  proveQueue: z.strictObject({
    queue: text,
    tools: texts,
    pythons: texts,
    can: z.array(z.enum(ABILITIES)),
    diskMiB: z.number(),
    options: z.array(z.strictObject({ tool: LockTool, options: texts, of: texts })).exactOptional(),
  }),
  proveTarget: z.strictObject({ target: Target, project: text, version: text, tags: texts }),
  proveAttestKey: z.strictObject({ key: text }),
  proveKey: z.strictObject({ key: text, passphrase: maybe }),
  fetchSource: z.strictObject({ source: Source }),
  runTest: z.strictObject({
    in: z.enum(['venv', 'image', 'jvm', 'host']),
    run: text,
    ...vars,
    env: words,
    python: maybe,
    expect: maybe,
    result: maybe,
    artifacts: texts,
    where: Where.exactOptional(),
    network,
  }),
  runOnCluster: ClusterTestShape,
  runCommand: anyCommand,
  tidyUp: anyCommand,
  clearClusters: z.strictObject({ cluster: text }),
  sealManifest: nothing,
  attestRelease: z.strictObject({ key: maybe }),
  passGate: z.strictObject({
    gate: text,
    approvers: z.array(z.strictObject({ group: text, key: text })),
    quorum: z.int().min(0),
    expiresMs: z.number().positive(),
    self: z.boolean(),
    soakMs: z.number().min(0),
    signed: z.enum(['required', 'optional']),
    tests: z.enum(['passed', 'sealed']),
  }),
  publishArtifacts: z.strictObject({
    target: Target,
    of: texts,
    tags: texts,
    when: z.literal('built').exactOptional(),
  }),
  verifyTarget: z.strictObject({
    target: Target,
    project: text,
    version: text,
    of: texts,
    run: maybe,
    ...vars,
    python: maybe,
    bases: texts.exactOptional(),
    network,
    when: z.literal('built').exactOptional(),
  }),
  movePointer: z.strictObject({
    target: Target,
    name: text,
    version: text,
    to: text,
    when: z.enum(['newest stable', 'newest commit', 'always']),
  }),
  announceRelease: z.strictObject({ outlet: Outlet }),
  keepStandings: KeepStandings,
  reportTests: Reporter,
  writeReport: nothing,
} as const satisfies { readonly [K in KindName]: z.ZodType<Params[K]> };
