import { z } from 'zod';
import { FEATURE_SCHEMAS } from '../../features/schemas.js';
import type { KindName } from '../kinds.js';
import { fieldOf, together } from '../together.js';
import { ABILITIES } from '../worker.js';
import { BUILDS } from './build-params.js';
import { ClusterTestShape } from './cluster-params.js';
import { command, LockTool, maybe, network, Outlet, text, texts, vars, Where, words } from './command.js';
import { KeepStandings } from './sections/standings.js';
import { Reporter, Target } from './target.js';

const nothing = z.strictObject({});
const anyCommand = z.strictObject({ ...command, outputs: texts, expect: maybe });
/** Publishes or verifies the results of `of` without the run's seal. */
const when = z.literal('built').exactOptional();

export const Source = z.union([
  z.strictObject({
    kind: z.literal('sdist'),
    name: text,
    version: text,
    sha256: text,
    /** Name of the file on the index. Absent: the first source archive of the version. */
    file: text.exactOptional(),
    /** The file of the bundle that it is, in place of the index. */
    path: text.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('git'),
    commit: text,
    /** The only folder of the commit that is exported. Absent means the whole tree. */
    folder: text.exactOptional(),
  }),
]);

/** Options whose support by a lock tool is proved. */
export const LockOptions = z.strictObject({ tool: LockTool, options: texts, of: texts });

export const Gate = z.strictObject({
  gate: text,
  /** OpenSSH public keys: paths in the bundle, each with the name of its group. */
  approvers: z.array(z.strictObject({ group: text, key: text })),
  /** Number of approvals by different keys. 0 for a gate that only waits. */
  quorum: z.int().min(0),
  /** Validity of an approval. */
  expiresMs: z.number().positive(),
  /** Whether the person who started the run may approve it. */
  self: z.boolean(),
  /** Minimum time between opening and passing. */
  soakMs: z.number().min(0),
  signed: z.enum(['required', 'optional']),
  /** `passed`: a skipped or dropped test keeps the gate shut. */
  tests: z.enum(['passed', 'sealed']),
});

const CORE = {
  ...BUILDS,
  /** Lists the tools of a queue's workers and pins its toolchain. Facts: `{toolchain, machine, libc, queue?, tools, pythons}`. */
  proveQueue: z.strictObject({
    queue: text,
    tools: texts,
    pythons: texts,
    /** Abilities that every worker of the queue must have. */
    can: z.array(z.enum(ABILITIES)),
    diskMiB: z.number(),
    options: z.array(LockOptions).exactOptional(),
  }),
  /** The target answers, accepts the credential, and the version is free or ours. `tags` are those of images to publish: the
   * version if there are none. */
  proveTarget: z.strictObject({ target: Target, project: text, version: text, tags: texts }),
  /** The GPG key exists and signs. Key and passphrase are references. Facts: `{fingerprint}`. */
  proveKey: z.strictObject({ key: text, passphrase: maybe }),
  /** The attestation key exists and signs. The key is a reference. Facts: `{keyid}`. */
  proveAttestKey: z.strictObject({ key: text }),
  /** One artifact: the sdist itself, or `source.tar` of the commit. Facts: `{epoch, commit|null, version|null}`. */
  fetchSource: z.strictObject({ source: Source }),
  /** One artifact of kind tool. `says` is its version, which `file` of the source has. Facts: `{version}`. */
  fetchTool: z.strictObject({ tool: text, says: text, file: maybe, machine: text, at: text, sha256: text }),
  runTest: z.strictObject({
    in: z.enum(['venv', 'image', 'jvm', 'host']),
    run: text,
    ...vars,
    env: words,
    python: maybe,
    /** A line that the output must contain. */
    expect: maybe,
    /** A file below $OUT that must exist afterwards and is stored. */
    result: maybe,
    artifacts: texts,
    /** Paths of the source that make up its working folder. Absent: that folder is empty, and is $OUT. */
    tree: texts.exactOptional(),
    /** For venv, jvm and host: a container with Debian packages instead of the worker's host. */
    where: Where.exactOptional(),
    network,
  }),
  runOnCluster: ClusterTestShape,
  runCommand: anyCommand,
  /** A command that runs after other steps, whatever their outcome. It has no source and no inputs. */
  tidyUp: anyCommand,
  /** Ends clusters of this name that tests left. */
  clearClusters: z.strictObject({ cluster: text }),
  sealManifest: nothing,
  /** Artifacts of kind file: checksums of all products, the pins of the locks, and a provenance statement. It
   * is signed if there is a key (a reference). Facts: `{manifest, subjects, keyid|null}`. */
  attestRelease: z.strictObject({ key: maybe }),
  /** Waits for approvals, a time or both. Facts: `{manifest, approvals}`. */
  passGate: Gate,
  publishArtifacts: z.strictObject({
    target: Target,
    of: texts,
    /** Tags of an image. For a static index the platforms whose index lists the wheel. */
    tags: texts,
    when,
  }),
  /** Installs from the target and runs a line. With `run` null, the kind's own smallest check. */
  verifyTarget: z.strictObject({
    target: Target,
    project: text,
    version: text,
    of: texts,
    run: maybe,
    ...vars,
    python: maybe,
    /** Bases of a static index: each wheel is installed in the one that it was built in. Absent: on the worker. */
    bases: texts.exactOptional(),
    network,
    when,
  }),
  movePointer: z.strictObject({
    target: Target,
    name: text,
    version: text,
    to: text,
    when: z.enum(['newest stable', 'newest commit', 'always']),
  }),
  /** Announces a version once. Facts: `{announced, id}`. */
  announceRelease: z.strictObject({ outlet: Outlet }),
  keepStandings: KeepStandings,
  /** Reports the results of the run's tests. Facts: `{reported, existed}`. */
  reportTests: Reporter,
  writeReport: nothing,
};

/** Parameters of each kind. A plan from outside is checked against them before a step starts. */
export const PARAMS = together('schema of the kind', {
  core: CORE,
  ...fieldOf(FEATURE_SCHEMAS, 'params'),
}) satisfies { readonly [K in KindName]: z.ZodType };
export type OwnKind = Exclude<KindName, keyof typeof CORE>;
