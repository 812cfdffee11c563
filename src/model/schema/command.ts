import { z } from 'zod';

export const text = z.string();
export const texts = z.array(text);
export const maybe = text.nullable();
export const words = z.record(text, text);

/** Facts of a planned platform. Steps carry them as parameters, so workers need no table. */
export const Platform = z.strictObject({
  name: text,
  /** linux, macos, windows */
  os: text,
  /** As the machine reports it: x86_64, aarch64, arm64, amd64. */
  arch: text,
  /** The oldest supported C library, or the oldest macOS. Null for that of the builder's machine. */
  libc: z.strictObject({ name: z.enum(['glibc', 'musl', 'macos']), floor: text }).nullable(),
  /** Pattern of its tag in wheel names. */
  wheel: text,
  /** Its folder in JARs: `{native}`. */
  native: text,
  /** OCI platform of its images. Null if it has no containers. */
  oci: maybe,
  /** none, cuda */
  accelerator: text,
});
/** Compilers for another machine or an older C library. */
export const Cross = z.enum(['zig', 'gcc']);

export const LockTool = z.enum(['uv', 'pip-tools', 'relax']);

/** Location of a command: the worker's host, or a container from a step's image. */
export const Where = z.union([
  z.strictObject({ in: z.literal('host') }),
  z.strictObject({ in: z.literal('container'), base: text }),
]);

/** Present if the project's programs have the network. */
export const network = z.literal(true).exactOptional();
/** How long a failure of the product is remembered: the same try is not made again before. Absent: it is not remembered. No result
 * depends on it. */
export const retryFailedMs = z.number().nonnegative().exactOptional();
/** Values that a line reads from its environment, by variable. Absent if it reads none. */
export const vars = { vars: words.exactOptional() };

/** Planning fills texts in ({version} {commit} {branch} and axes); {files} and {out} stay for the worker. Shell lines
 * hold no values: they name variables (shell-variables.ts). */
export const command = {
  /** A shell line for `sh -eu -c`. Null if the builder makes its own. */
  run: maybe,
  ...vars,
  env: words,
  /** Working folder, relative to the source tree. */
  folder: text,
  where: Where,
  network,
};

/** Destination of a notification. Secrets are references: `$NAME`, `file:/path`, `command:line`. */
export const Outlet = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('webhook'), url: text, headers: words }),
  z.strictObject({
    by: z.literal('command'),
    /** A shell line for `sh -eu -c`. */
    line: text,
    ...vars,
    /** The only variables of the worker that the line gets. */
    secrets: texts,
  }),
]);
