import { z } from 'zod';
import { maybe, text } from './command.js';
import { TargetExtra } from './target-schemas.js';
import { TARGET_KINDS } from '../target-kinds.js';

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
  /** Parameters of its kind. */
  extra: TargetExtra.exactOptional(),
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
