import { z } from 'zod';
import { type Digest, isDigest } from '../digest.js';
import { command, Cross, maybe, network, Platform, text, texts, vars, words, retryFailedMs } from './command.js';
import { Target } from './target.js';

const DigestText = z.custom<Digest>(isDigest);

/** A value that is read from inside a wheel without importing it: the first group of `match` in `file`. */
const CommitCheck = z.strictObject({ file: text, match: text });

/** The JAR of one platform's libraries, for the JAR that gathers all platforms. */
export const NativeRef = z.strictObject({
  /** Its `native` is also the classifier. */
  for: Platform,
  /** Folder of its libraries inside the JAR. */
  folder: text,
  path: text,
  /** The step of this plan that builds it. Null if another pipeline does. */
  step: maybe,
});

/** Parameters of the kinds that build. */
export const BUILDS = {
  /** `version` is that of its source: null if that has none, absent in plans of before. */
  takeSdist: z.strictObject({ project: text, version: maybe.exactOptional() }),
  buildSdist: z.strictObject({
    ...command,
    project: text,
    /** The version, as of `takeSdist`. */
    version: maybe.exactOptional(),
    builder: z.enum(['uv', 'build', 'command']),
    /** Python that runs the builder. Absent: the newest of the worker. */
    interpreter: text.exactOptional(),
    outputs: texts,
  }),
  /** Runs once for all variants of a wheel. One artifact of kind tree: the whole tree after the command. `python` is the Python
   * whose lock it uses, if the wheel has one. */
  prepareSource: z.strictObject({ ...command, project: text, python: maybe, overlay: maybe, normalise: texts }),
  /** One artifact of kind wheel, as another pipeline built it. Facts: `{file, from, etag|null, commit|null}`. */
  takeWheel: z.strictObject({
    project: text,
    /** Null: any. */
    python: maybe,
    for: Platform,
    /** `at`: `https://…` or `store:RELEASE/…`, a wheel or a folder that ends in `/`. Else a file that is stored with the plan. */
    from: z.union([z.strictObject({ at: text }), z.strictObject({ name: text, digest: DigestText, size: z.number() })]),
    /** The commit that the wheel is of; null: nothing says it. */
    wanted: maybe,
    commit: CommitCheck.nullable(),
    /** How long to ask for it, from the first time on. */
    waitMs: z.number(),
  }),
  /** One artifact of kind wheel, repaired and checked. */
  buildWheel: z.strictObject({
    ...command,
    project: text,
    /** Version of its source. Null if that has none, as in a pipeline: a label is no version. */
    version: maybe,
    builder: z.enum(['uv', 'build', 'pip', 'cibuildwheel', 'command']),
    /** Null for one wheel for all Pythons. */
    python: maybe,
    /** The Python that builds it. Null for any installed one. */
    interpreter: maybe,
    /** Present if the Python of the container builds it, in place of one of the worker. */
    ownPython: z.literal(true).exactOptional(),
    for: Platform,
    /** True for one wheel for all platforms. `for` is then the builder's platform. */
    everywhere: z.boolean(),
    /** The cross compiler for `for`. Null for the machine's own compiler. */
    cross: Cross.nullable(),
    overlay: maybe,
    /** Present if the step locks what the build backend asks for, and builds without isolation. `requires` comes on top of that;
     * nothing uploaded after `cutoff`, ISO 8601, is taken. */
    lock: z.strictObject({ requires: texts, cutoff: maybe }).exactOptional(),
    /** The variant whose wheel is taken if it fits. */
    sameAs: text.exactOptional(),
    /** Present if an index lists a wheel of this variant already: other bytes get the build number. */
    again: z.strictObject({ file: text, digest: DigestText, build: z.int().positive() }).exactOptional(),
    retryFailedMs,
    /** Globs of built wheels, relative to the working folder. Default `{out}/*.whl`. */
    outputs: texts,
    repair: z.strictObject({ exclude: texts }).nullable(),
    commit: CommitCheck.nullable(),
    /** Codes of accepted findings, with the reason. */
    accept: words,
  }),
  /** Native libraries of one platform: one artifact of kind jar with the label `platform`, also in the store's layout. */
  buildNative: z.strictObject({
    ...command,
    project: text,
    version: text,
    for: Platform,
    cross: Cross.nullable(),
    /** Globs of the libraries, relative to the working folder or `{out}`. */
    libraries: texts,
    inside: text,
    /** Path in the store's layout: `main/<commit>/jars/linux-x86_64/skiff-1.0-linux-x86_64.jar`. */
    place: text,
    /** Maven coordinates, if it is published by itself. */
    coordinates: z.strictObject({ groupId: text, artifactId: text }).nullable(),
  }),
  /** Artifacts of kind jar, POMs included. */
  buildJar: z.strictObject({
    ...command,
    project: text,
    version: text,
    builder: z.enum(['maven', 'command']),
    /** A line that runs before Maven. */
    prepare: z.strictObject({ run: text, ...vars, env: words }).exactOptional(),
    modules: texts,
    properties: words,
    profiles: texts.optional(),
    threads: z.number().optional(),
    /** Oldest Java that the classes run on: 8. */
    java: z.number().optional(),
    with: z.array(z.enum(['sources', 'javadoc'])),
    outputs: texts,
    /** Libraries of all platforms, inside it or beside it. */
    natives: z
      .strictObject({
        as: z.enum(['resources', 'classifier']),
        module: maybe,
        waitMs: z.number(),
        from: z.array(NativeRef),
      })
      .nullable(),
    /** Codes of accepted findings, with the reason. */
    accept: words,
  }),
  /** Makes a `.asc` for each input file of kind jar. `key` and `passphrase` are references: `$NAME`. */
  signFiles: z.strictObject({ project: text, key: text, passphrase: maybe }),
  /** One artifact of kind image in staging under `bases/<name>`. */
  makeBase: z.strictObject({
    name: text,
    from: z.union([
      z.strictObject({
        image: text,
        /** Address of the profile's registry, in which the image is. Absent: the image names its own. */
        registry: text.exactOptional(),
      }),
      z.strictObject({
        debian: text,
        packages: texts,
        /** First day of the period that it is made for. Absent: it is made once. */
        since: text.exactOptional(),
      }),
    ]),
    /** OCI platform, `linux/arm64`. Null for the engine's own. */
    oci: maybe,
  }),
  /** One artifact of kind image in staging, by digest. Build context: `deps/ wheels/ jars/ sdists/ files/`. */
  buildImage: z.strictObject({
    project: text,
    version: text,
    platform: text,
    /** OCI platform of `platform`. Null for the engine's own. */
    oci: maybe,
    base: maybe,
    dockerfile: text,
    /** Present if the build context is the source tree. */
    context: z.literal('source').exactOptional(),
    args: words,
    labels: words,
    tags: texts,
    /** Present if RUN lines of the Dockerfile have the network. */
    network,
  }),
  /** One artifact of kind image in staging: an index over images that differ only in their platform. */
  assembleIndex: z.strictObject({
    project: text,
    version: text,
    /** Children by OCI platform. */
    children: z.array(z.strictObject({ step: text, platform: text })),
    /** Platforms that the release drops, with the reason. */
    dropped: z.array(z.strictObject({ platform: text, because: text })),
    tags: texts,
  }),
  /** One artifact of kind image in staging: the image behind a tag of a target, resolved to a digest. No step of this
   * plan builds it. */
  promoteImage: z.strictObject({
    project: text,
    version: text,
    from: Target,
    tag: text,
    /** The required digest. Null for the current digest of the tag. */
    digest: maybe,
    tags: texts,
  }),
};
