import { z } from 'zod';
import { maybe, text, texts, vars } from './command.js';
import { TARGET_KINDS } from './sections/publish.js';

/** Parameters of some kinds of targets. Planning fills texts in; `{file}` stays for the worker. */
const Extra = z.discriminatedUnion('kind', [
  z.strictObject({
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
  z.strictObject({
    kind: z.literal('s3'),
    /** Path of a file below the address, with `{file}` in it. */
    path: text,
    /** A server other than AWS. Null for AWS. */
    endpoint: maybe,
  }),
  z.strictObject({
    kind: z.literal('central'),
    mode: z.enum(['user-managed', 'automatic']),
    /** Maven repository that serves the published files. */
    reads: text,
  }),
  z.strictObject({ kind: z.literal('git-tag'), tag: text, message: text, commit: text }),
  z.strictObject({
    kind: z.literal('oci'),
    /** Address of a token server on another host, which may get the credential. */
    realm: text,
  }),
  z.strictObject({
    kind: z.literal('python'),
    /** Simple index that serves the uploaded files. Only the target's host gets the credential. */
    reads: text,
  }),
  z.strictObject({
    kind: z.literal('simple'),
    /** Address that serves the folder or bucket. Null for `service:wheels`, and for a folder that is read as files. */
    reads: maybe,
    /** A server of the bucket other than AWS. Null for AWS, and for a folder. */
    endpoint: maybe,
  }),
]);

/** A registry to publish to. It holds references to secrets (`$NAME`), never values. */
export const Target = z.strictObject({
  name: text,
  kind: z.enum(TARGET_KINDS),
  /** `service:index` (started by `slipway up`), an address, or for python a repository name that twine knows. */
  address: text,
  /** Repository inside an OCI registry. Null for other kinds. */
  repository: maybe,
  username: maybe,
  password: maybe,
  extra: Extra.exactOptional(),
  /** MiB of 2^20 bytes. */
  limits: z.strictObject({ fileMiB: z.number().exactOptional(), totalMiB: z.number().exactOptional() }).exactOptional(),
});

/** A place to which the results of a run's tests are reported. Secrets are references. */
export const Reporter = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rows'),
    /** A target of kind s3. Its path holds pipeline and label. */
    target: Target,
  }),
  z.strictObject({
    kind: z.literal('github'),
    /** Address of the API, without a slash at its end. */
    address: text,
    /** `owner/name` */
    repository: text,
    token: text,
    /** Label of issues that block a release. Null for none. */
    blocker: maybe,
    /** Only runs on this branch have standings. */
    branch: text,
  }),
  z.strictObject({
    kind: z.literal('postgres'),
    /** Address with its password. */
    url: text,
    table: text,
  }),
]);
