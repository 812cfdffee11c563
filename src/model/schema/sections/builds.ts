import { z } from 'zod';
import { ExpressionText } from '../expression-text.js';
import { commanded, crossing, frame, narrowed, sourced } from '../frame.js';
import { Cutoff, Duration, Env, InnerPath, Name, PythonTag, Reference, Secret } from '../scalars.js';

const Run = z
  .string()
  .min(1, 'a command is not empty')
  .describe(
    'A shell line for sh -eu -c; {files} is the bundle, {out} the folder for results. Placeholders become quoted variables.',
  );
const Outputs = z
  .array(z.string().min(1))
  .describe('Globs of what it leaves, relative to the working folder or {out}.');
const Reason = z.string().min(10, 'a reason says why: at least 10 characters');
const Reasons = z.record(z.string().regex(/^[A-Z][A-Z0-9_]+$/, 'a finding is named by its code, UPPER_SNAKE'), Reason);

export const Sdist = z.strictObject({
  ...frame,
  ...sourced,
  ...commanded,
  project: Name.optional().describe('Name on the index; by default its name here.'),
  from: z.literal('source').optional().describe('The very file that the source is, not a rebuild.'),
  builder: z.enum(['uv', 'build', 'command']).default('uv').describe('What builds it.'),
  run: Run.optional(),
  outputs: Outputs.default([]),
});
export type Sdist = z.infer<typeof Sdist>;

const Prepare = z.strictObject({
  run: Run,
  env: Env.default({}).describe('Variables of its environment.'),
  python: PythonTag.optional().describe('The Python whose locks it uses; by default the first of the wheel.'),
  normalise: z
    .array(z.string().min(1))
    .default([])
    .describe("Globs of archives whose entry times are set to the source's."),
  timeout: frame.timeout,
});

const Taken = z.strictObject({
  at: z
    .string()
    .min(1)
    .describe(
      "Where the wheels of a commit are: http(s)://…, s3://BUCKET/… or store:RELEASE/…, a wheel or a folder that ends in /. {wheels} is the profile's address; {branch}, {commit}, {python} and the like are filled in.",
    ),
  take: z
    .string()
    .default('')
    .describe(
      "Which wheel: a commit, owner:commit, a branch, owner:branch, latest, an address, file:PATH, store:RELEASE; by default the source's commit. `slipway run --wheels NAME=…` goes before it.",
    ),
  branches: z
    .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/+-]*$/, 'a branch is named as git names it'))
    .default([])
    .describe('Branches that `latest` looks at, and that the {branch} of a commit is sought among.'),
  wait: Duration.prefault('2h').describe('How long to ask for a wheel that is not there yet, from the first time on.'),
});

export const Wheel = z.strictObject({
  ...frame,
  ...sourced,
  ...narrowed,
  ...crossing,
  ...commanded,
  project: Name.optional().describe('Name on the index; by default its name here.'),
  from: Taken.optional().describe('Takes the wheel that another pipeline built, and builds none.'),
  builder: z
    .enum(['uv', 'build', 'pip', 'cibuildwheel', 'command'])
    .default('uv')
    .describe(
      'What builds it. A lock among needs is the whole build environment; without one, what pyproject.toml asks for.',
    ),
  lock: z
    .literal('own')
    .optional()
    .describe(
      'own: what its build backend asks for is locked with hashes, and it is built with these alone. The lock is an artifact beside the wheel.',
    ),
  requires: z
    .array(z.string().min(1))
    .default([])
    .describe('Build requirements besides those of the backend, with `lock: own`: setuptools<80.'),
  cutoff: Cutoff.optional(),
  sameAs: z
    .literal('first')
    .optional()
    .describe(
      'first: the other variants run after the first one, and take its wheel if it fits them; a pure wheel fits all.',
    ),
  again: z
    .array(
      z.strictObject({
        platform: Name,
        python: Name,
        file: z.string().min(1),
        digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'a digest is sha256: and 64 hex digits'),
        build: z.int().positive(),
      }),
    )
    .optional()
    .describe(
      'Variants of which an index lists a wheel already; written by imports. A build that gives other bytes gets the build number.',
    ),
  retryFailed: Duration.optional().describe(
    'How long a failed build is remembered: the same try then fails at once. Without it each run tries again.',
  ),
  platform: z.literal('none').optional().describe('none: one wheel for all platforms, py3-none-any; built once.'),
  python: z.literal('none').optional().describe('none: one wheel for all Pythons (py3-none-any, abi3); built once.'),
  run: Run.optional(),
  outputs: Outputs.default([]),
  overlay: InnerPath.optional().describe('A folder of the bundle, laid over the source before building.'),
  prepare: Prepare.optional().describe('Runs once, before all variants.'),
  repair: z
    .union([
      z.literal(false),
      z.strictObject({ exclude: z.array(z.string().min(1)).default([]).describe('Libraries that stay outside.') }),
    ])
    .default({ exclude: [] })
    .describe('auditwheel repair; false leaves the wheel as it is.'),
  commit: z
    .strictObject({ file: InnerPath, match: ExpressionText })
    .optional()
    .describe('Where the wheel says what it was built from: first group of match in file.'),
  accept: Reasons.default({}).describe('Findings that are exceptions here, with the reason.'),
});
export type Wheel = z.infer<typeof Wheel>;

const Folder = InnerPath.describe("Their folder inside the JAR: {native} {os} {arch} are the platform's own words.");

/** `natives:` gathers the libraries of all platforms in one JAR, or one JAR for each beside it. */
const Natives = z.strictObject({
  folder: Folder.default('native/{native}'),
  as: z
    .enum(['resources', 'classifier'])
    .default('resources')
    .describe('resources: all of them in the one JAR. classifier: a JAR for each platform beside one without.'),
  module: InnerPath.optional().describe('The Maven module that takes them, where there are several.'),
  platforms: z.array(Name).default([]).describe('Platforms that another pipeline builds for the same commit.'),
  wait: Duration.prefault('2m').describe('How long to look for those that are not there yet.'),
});

/** `sign:` has the key that signs files for a Maven repository. */
const Sign = z.strictObject({
  key: Secret.describe(
    '$NAME, file:/path or command:LINE: an armoured private key, or the path of a file that holds one.',
  ),
  passphrase: Secret.optional().describe('$NAME, file:/path or command:LINE.'),
});

export const Jar = z.strictObject({
  ...frame,
  ...crossing,
  ...commanded,
  platforms: narrowed.platforms,
  builder: z.enum(['maven', 'command']).default('maven').describe('What builds it.'),
  run: Run.optional(),
  prepare: Prepare.pick({ run: true, env: true })
    .optional()
    .describe('Runs in its folder before Maven, in the same place: writes POMs, protos and generated sources.'),
  modules: z.array(InnerPath).default([]).describe('Maven modules; by default all.'),
  properties: z.record(z.string().min(1), z.string()).default({}).describe('-Dname=value.'),
  profiles: z
    .array(z.string().regex(/^!?[\w.-]+$/, 'a profile is a word of letters, digits, ".", "_" and "-"'))
    .default([])
    .describe("Maven's profiles, -P; the lifecycle of the POM then builds it."),
  threads: z.int().min(1).max(64).optional().describe("Maven's threads, -T: modules that do not need each other."),
  java: z
    .int()
    .min(8)
    .max(99)
    .optional()
    .describe(
      'The oldest Java that its classes must run on: the compiler gets it as --release, and newer class files are refused.',
    ),
  with: z
    .array(z.enum(['sources', 'javadoc']))
    .default([])
    .describe('JARs besides; none that the POM attaches itself.'),
  outputs: Outputs.default([]),
  libraries: z
    .array(z.string().min(1))
    .min(1, 'name at least one library')
    .optional()
    .describe(
      'Globs of native libraries: the command then runs once for each platform, and each leaves a JAR of them.',
    ),
  artifact: z
    .string()
    .regex(/^([\w.-]+:)?[\w.-]+$/, 'name, or group:name where it is published by itself')
    .optional()
    .describe('What the JARs of libraries are called; by default as the JAR that gathers them.'),
  natives: z
    .union([Folder.transform((folder) => Natives.parse({ folder })), Natives])
    .optional()
    .describe('Takes the native libraries of the entries it needs; all of them, or there is no JAR.'),
  accept: z
    .strictObject({ JAR_EMPTY: Reason.optional() })
    .default({})
    .describe('Findings that are exceptions here, with the reason: JAR_EMPTY for a marker artifact.'),
  sign: z
    .union([Secret.transform((key) => Sign.parse({ key })), Sign])
    .optional()
    .describe('GPG key that signs every file of it: $NAME.'),
});
export type Jar = z.infer<typeof Jar>;

export const Command = z.strictObject({
  ...frame,
  ...sourced,
  ...commanded,
  after: z
    .array(Reference)
    .default([])
    .describe(
      'Runs once all variants of these have ended, however they ended, also in a cancelled run: what tidies up. Of needs it takes [source] alone, the source tree.',
    ),
  run: Run,
  outputs: Outputs.default([]),
  inputs: z
    .literal('optional')
    .optional()
    .describe('optional: what it needs may be left out though that keeps files. It then runs without these files.'),
  cache: z
    .literal(false)
    .optional()
    .describe(
      'false: it runs in each run. Otherwise a run takes the result of an earlier one whose inputs were the same.',
    ),
  expect: z.string().min(1).optional().describe('A whole line that must stand in the output.'),
});
export type Command = z.infer<typeof Command>;
