import { z } from 'zod';
import { DEBIAN_PACKAGE } from '../debian.js';
import { isLabelWord, LABEL_FORM, LABEL_RULE } from '../label.js';
import { SECRET } from '../secret.js';

/** Units of a duration, in milliseconds. */
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const DURATION = /^(\d{1,6})(ms|s|m|h|d)$/;
const DURATION_RANGE = /^(\d{1,6})(ms|s|m|h|d)\.\.(\d{1,6})(ms|s|m|h|d)$/;
const PATH_PART = /^(?!\.{1,2}$)[^/\\\0]+$/;

const millis = (count: string, unit: string): number => Number(count) * UNITS[unit as keyof typeof UNITS];

/** Part of a step id, a file name, a tag or a folder, so it has no two dots in a row. */
export const Name = z
  .string()
  .max(80, 'a name has at most 80 characters')
  .regex(
    /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'a name begins with a letter or digit and holds letters, digits, ".", "_" and "-"',
  );

/** Version of the release, valid for Python, Maven and OCI tags. */
export const Version = z
  .string()
  .max(80, 'a version has at most 80 characters')
  .regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._+-]*$/, 'a version holds letters, digits, ".", "_", "+" and "-"');

/** `label:` of a file. Lower-case letters alone are a word, so that a misspelt word is not taken for a text. */
export const Label = z
  .string()
  .regex(LABEL_FORM, LABEL_RULE)
  .refine((text) => isLabelWord(text) || !/^[a-z]+$/.test(text), {
    message: 'a label is commit, date or minute, or a text with a digit, a capital or one of "._+-" in it',
  });

/** A CPython tag of wheels, because YAML reads 3.10 as 3.1. */
export const PythonTag = z.string().regex(/^cp3\d{1,2}t?$/, 'a Python is written as its tag: cp310, cp311, cp312 …');

/** Longest timer of the platform. Node fires longer timers at once. */
const LONGEST_MS = 24 * UNITS.d;
const isShortEnough = (text: string): boolean => {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined || unit === undefined || millis(count, unit) <= LONGEST_MS;
};

/** Parses `30s` into milliseconds. */
export const Duration = z
  .string()
  .regex(DURATION, 'a duration is a number and a unit: 30s, 5m, 2h')
  .refine(isShortEnough, 'a duration is at most 24d')
  .transform((text) => {
    const [, count, unit] = DURATION.exec(text) ?? [];
    return count === undefined || unit === undefined ? 0 : millis(count, unit);
  });

/** Parses `180d` into milliseconds. Dates are compared with it, and no timer has it. */
export const Age = z
  .string()
  .regex(DURATION, 'an age is a number and a unit: 12h, 90d')
  .refine((text) => (DURATION.exec(text)?.[1]?.length ?? 0) <= 5, 'an age has at most 5 digits')
  .transform((text) => {
    const [, count, unit] = DURATION.exec(text) ?? [];
    return count === undefined || unit === undefined ? 0 : millis(count, unit);
  });

/** Parses `drop` or `wait 4h` into `{answer, limitMs?}`. */
export const Unserved = z
  .string()
  .refine((text) => /^(wait|drop|fail)$/.test(text) || (text.startsWith('wait ') && DURATION.test(text.slice(5))), {
    message: 'what to do where nobody serves it is wait, wait 4h, drop or fail',
  })
  .refine((text) => isShortEnough(text.replace(/^wait /, '')), 'a wait is at most 24d')
  .transform((text): { answer: 'wait' | 'drop' | 'fail'; limitMs?: number } => {
    const [answer, limit] = text.split(' ') as ['wait' | 'drop' | 'fail', string?];
    return limit === undefined ? { answer } : { answer, limitMs: Duration.parse(limit) };
  });

/** Parses `10s` or `30m..90m` into `{waitMs, waitToMs?}`. */
export const DurationOrRange = z
  .string()
  .refine((text) => DURATION.test(text) || DURATION_RANGE.test(text), 'a wait is a duration or a range: 10s, 30m..90m')
  .transform((text): { waitMs: number; waitToMs?: number } => {
    const one = DURATION.exec(text);
    if (one) return { waitMs: millis(one[1]!, one[2]!) };
    const two = DURATION_RANGE.exec(text);
    return two ? { waitMs: millis(two[1]!, two[2]!), waitToMs: millis(two[3]!, two[4]!) } : { waitMs: 0 };
  });

/** A path inside its root: `/` between parts, no `..`, not absolute. */
export const InnerPath = z
  .string()
  .min(1, 'a path is not empty')
  .refine((text) => text.split('/').every((part) => PATH_PART.test(part)) || text === '.', {
    message: 'a path stays inside its folder: relative, "/" between parts, no ".."',
  });

/** `section/name`, `section/name[axis=value]`, `section/name[*]`, or `source`. */
export const Reference = z
  .string()
  .regex(
    /^(source|[a-z]+\/[A-Za-z0-9*][A-Za-z0-9._*-]*(\[[^\][]*\])?)$/,
    'a reference is section/name, section/name[axis=value] or section/name[*]',
  );

export const Env = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is letters, digits and "_"'),
  z.string(),
);

export const SECRET_IS_NAMED = 'a secret is named, never written: $NAME, file:/its/path, or command:what prints it';
/** A reference to a secret. Values of secrets are refused. */
export const Secret = z.string().regex(SECRET, SECRET_IS_NAMED);

export const DebianPackage = z
  .string()
  .regex(DEBIAN_PACKAGE, 'a Debian package is lower-case letters, digits, "+", "." and "-"');

/** A day or a moment in UTC. */
export const Cutoff = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/, 'a cut-off is a date: 2026-11-01')
  .describe('Nothing uploaded after this day (UTC) is taken.');

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a sha256 is 64 lower-case hex digits');

/** The last day on which something counts, in UTC. */
export const LastDay = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)), {
    message: 'a day is a year, a month and a day: 2026-12-31',
  });
