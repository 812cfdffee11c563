import { z } from 'zod';
import { FEATURE_SCHEMAS } from '../../features/schemas.js';
import type { CoreTargetKind, TargetKind } from '../target-kinds.js';
import { fieldOf, type Intersection, together } from '../together.js';
import { maybe, text, texts, vars } from './command.js';
import type { FeatureTarget } from './feature-schemas.js';

const line = z.string().min(1, 'a command is not empty');

/** `entry`: keys of `publish:` that belong to one kind. `extra`: its parameters in a plan, null without any. Planning fills texts in;
 * `{file}` stays for the worker. */
const CORE = {
  python: {
    entry: {},
    extra: z.strictObject({
      kind: z.literal('python'),
      /** Simple index that serves the uploaded files. Only the target's host gets the credential. */
      reads: text,
    }),
  },
  maven: { entry: {}, extra: null },
  oci: {
    entry: {
      repository: z
        .string()
        .regex(/^[a-z0-9]+([._/-][a-z0-9]+)*$/, 'a repository is lower-case parts with "/" between')
        .optional()
        .describe('Repository inside an OCI registry.'),
    },
    extra: z.strictObject({
      kind: z.literal('oci'),
      /** Address of a token server on another host, which may get the credential. */
      realm: text,
    }),
  },
  command: {
    entry: {
      observe: line
        .optional()
        .describe(
          'command: prints absent or sha256:… for one file, or ends with 3 where it cannot tell. It gets $FILE $NAME $VERSION $SHA256 $ADDRESS.',
        ),
      upload: line
        .optional()
        .describe('command: publishes one file. Whether it is there is what observe says afterwards.'),
      undo: line.optional().describe('command: how a file is taken back; shown with the plan, run by nobody.'),
      secrets: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is letters, digits and "_"'))
        .default([])
        .describe('command: variables of the worker that its lines get; all others are scrubbed.'),
    },
    extra: z.strictObject({
      kind: z.literal('command'),
      /** Shell lines for `sh -eu -c`, once for each file. */
      observe: text,
      upload: text,
      ...vars,
      /** Text for display. No step runs it. */
      undo: maybe,
      /** The only variables of the worker that the lines get. */
      secrets: texts,
    }),
  },
  s3: {
    entry: {
      path: z
        .string()
        .regex(/\{file\}/, 'the path of a file holds {file}')
        .refine((text) => text.split('/').every((part) => part !== '' && part !== '.' && part !== '..'), {
          message: 'a path stays inside its folder: relative, "/" between parts, no ".."',
        })
        .optional()
        .describe('s3: where a file stands below the address; by default {branch}/{commit}/{file}.'),
    },
    extra: z.strictObject({
      kind: z.literal('s3'),
      /** Path of a file below the address, with `{file}` in it. */
      path: text,
      /** A server other than AWS. Null for AWS. */
      endpoint: maybe,
    }),
  },
  'git-tag': {
    entry: {
      tag: z
        .string()
        .regex(
          /^(?!.*(\.\.|@\{|\.lock$|\/$|\/\/))[A-Za-z0-9_{][A-Za-z0-9_.{}/+-]*$/,
          'a tag is a name that git takes: v{version}',
        )
        .optional()
        .describe('git-tag: its name; by default v{version}.'),
      message: line.optional().describe('git-tag: what it says; by default the name and version of the release.'),
    },
    extra: z.strictObject({ kind: z.literal('git-tag'), tag: text, message: text, commit: text }),
  },
  central: {
    entry: {
      mode: z
        .enum(['user-managed', 'automatic'])
        .optional()
        .describe(
          'central: user-managed (default) publishes once all is validated, automatic lets Central go on by itself.',
        ),
    },
    extra: z.strictObject({
      kind: z.literal('central'),
      mode: z.enum(['user-managed', 'automatic']),
      /** Maven repository that serves the published files. */
      reads: text,
    }),
  },
  simple: {
    entry: {
      when: z
        .enum(['sealed', 'built'])
        .optional()
        .describe(
          'simple: `built` publishes each wheel as soon as it is built, without a seal. The first bytes under a name stay. By default `sealed`.',
        ),
    },
    extra: z.strictObject({
      kind: z.literal('simple'),
      /** Address that serves the folder or bucket. Null for `service:wheels`, and for a folder that is read as files. */
      reads: maybe,
      /** A server of the bucket other than AWS. Null for AWS, and for a folder. */
      endpoint: maybe,
    }),
  },
} as const satisfies { readonly [K in CoreTargetKind]: Pick<FeatureTarget, 'entry' | 'extra'> };

const FEATURES = fieldOf(FEATURE_SCHEMAS, 'targets');
type OwnTargetKind = Exclude<TargetKind, CoreTargetKind>;
/** A kind of targets with a row does not compile without its schema. */
const OWN = together('schema of the kind of target', FEATURES) satisfies { readonly [K in OwnTargetKind]: unknown };

type Schemas = typeof CORE & typeof OWN;
export const TARGET_SCHEMAS: Readonly<Record<TargetKind, Pick<FeatureTarget, 'entry' | 'extra'>>> = { ...CORE, ...OWN };

const extras = Object.values(TARGET_SCHEMAS).flatMap(({ extra }) => extra ?? []);
export const TargetExtra = z.discriminatedUnion(
  'kind',
  extras as unknown as [NonNullable<Schemas[keyof Schemas]['extra']>],
);

/** Returns the parameters of a planned target of a feature. Null if it has none. */
export const ownExtra = (kind: OwnTargetKind, ...given: Parameters<FeatureTarget['plan']>) =>
  (OWN as Readonly<Record<string, FeatureTarget>>)[kind]!.plan(...given) as z.infer<typeof TargetExtra> | null;

type Field = 'entry' | 'profile';
type Kinds = Readonly<Record<string, { readonly [F in Field]?: object }>>;
const flat = (kinds: Kinds, field: Field): object =>
  Object.assign({}, ...Object.values(kinds).map((one) => one[field]));

/** Keys of entries that belong to kinds of the core. */
export const CORE_KEYS = flat(CORE, 'entry') as Intersection<(typeof CORE)[CoreTargetKind]['entry']>;

/** Adds the keys of features to those of the core. Throws FEATURE_NAME_TAKEN. */
export const withKeys = <T extends object, F extends Field>(what: string, field: F, core: T) =>
  together(what, {
    core: core as Readonly<Record<string, unknown>>,
    ...Object.fromEntries(Object.entries<Kinds>(FEATURES).map(([name, kinds]) => [name, flat(kinds, field)])),
  }) as unknown as T & Intersection<(typeof OWN)[keyof typeof OWN][F]>;
