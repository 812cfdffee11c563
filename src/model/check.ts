/** Checks data that another process wrote. Returns the fault and its path. Null if the data is valid. Workflow code
 * uses these checks because a schema library would triple its bundle. */
export type Check = (value: unknown) => string | null;

const LONGEST_TEXT = 20_000;

export const text =
  (most = LONGEST_TEXT, form?: RegExp): Check =>
  (value) => {
    if (typeof value !== 'string') return 'is no text';
    if (value.length > most) return `is a text of ${value.length} characters; at most ${most} are taken`;
    return form === undefined || form.test(value) ? null : `is ${JSON.stringify(value.slice(0, 80))}`;
  };

export const whole =
  (least = 0, most = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? null
      : `is no whole number from ${least} to ${most}`;

export const milliseconds: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? null : 'is no number of milliseconds';

export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value) ? null : `is none of ${values.map((one) => JSON.stringify(one)).join(', ')}`;

export const list =
  (check: Check, most: number): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'is no list';
    if (value.length > most) return `has ${value.length} entries; at most ${most} are taken`;
    return first(value.map((one: unknown, at) => below(`[${at}]`, check(one))));
  };

export const table =
  (check: Check, most: number): Check =>
  (value) => {
    if (!isObject(value)) return 'is no object';
    const entries = Object.entries(value);
    if (entries.length > most) return `has ${entries.length} entries; at most ${most} are taken`;
    return first(entries.map(([key, one]) => text(200)(key) ?? below(`.${key}`, check(one))));
  };

/** An object with these keys. Further keys pass: a newer worker may send them. */
export const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value)
      ? first(Object.entries(checks).map(([key, check]) => below(`.${key}`, check(value[key]))))
      : 'is no object';

export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined ? null : check(value);

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value);

export const either =
  (...checks: readonly Check[]): Check =>
  (value) => {
    const faults = checks.map((check) => check(value));
    return faults.includes(null) ? null : faults[0]!;
  };

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const first = (faults: readonly (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null;
const below = (key: string, fault: string | null): string | null =>
  fault === null ? null : fault.startsWith('.') || fault.startsWith('[') ? key + fault : `${key} ${fault}`;
