import { z } from 'zod';

export const text = z.string();
export const texts = z.array(text);
export const maybe = text.nullable();
export const words = z.record(text, text);

/** Location of a command: the worker's host, or a container from a step's image. */
export const Where = z.union([
  z.strictObject({ in: z.literal('host') }),
  z.strictObject({ in: z.literal('container'), base: text }),
]);

/** Present if the project's programs have the network. */
export const network = z.literal(true).exactOptional();
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
