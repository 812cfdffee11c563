import { z } from 'zod';

/** `spack.lock` as Spack 0.18 to 1.2 writes it. Keys that nothing here reads are left alone. */
const HASH = /^[a-z2-7]{32}$/;
const Hash = z.string().regex(HASH, 'a hash is 32 letters and digits');
/** Both are parts of file names in a build cache. */
const Part = z.string().regex(/^(?!.*\.\.)[A-Za-z0-9_][\w.+=~-]*$/, 'letters, digits, ".", "_", "+", "=", "~" and "-"');

const Dependency = z.looseObject({
  name: Part,
  hash: Hash,
  /** Lock 4. */
  type: z.array(z.string()).exactOptional(),
  /** Since lock 5. */
  parameters: z
    .looseObject({ deptypes: z.array(z.string()).exactOptional(), virtuals: z.array(z.string()).exactOptional() })
    .exactOptional(),
});

export const Node = z.looseObject({
  name: Part,
  version: Part,
  namespace: z.string().regex(/^[A-Za-z_][\w.-]*$/, 'letters, digits, "_", "." and "-"'),
  arch: z
    .looseObject({
      platform: z.string(),
      platform_os: z.string(),
      target: z.union([z.string(), z.looseObject({ name: z.string() })]),
    })
    .exactOptional(),
  /** Variants and compiler flags. */
  parameters: z.record(z.string(), z.unknown()).exactOptional(),
  /** Before lock 6. */
  compiler: z.looseObject({ name: Part, version: Part }).exactOptional(),
  package_hash: z.string().exactOptional(),
  external: z.looseObject({ path: z.string().nullable().exactOptional() }).exactOptional(),
  dependencies: z.array(Dependency).default([]),
});
export type Node = z.infer<typeof Node>;

export const LockFile = z.looseObject({
  _meta: z.looseObject({ 'lockfile-version': z.int() }),
  spack: z.looseObject({ version: z.string().exactOptional(), commit: z.string().exactOptional() }).default({}),
  roots: z.array(
    z.looseObject({
      hash: Hash,
      spec: z.string().min(1),
      /** Since lock 7. */
      group: z.string().exactOptional(),
    }),
  ),
  concrete_specs: z.record(Hash, Node),
});
export type LockFile = z.infer<typeof LockFile>;
