/** `$$`, `${NAME}`, `$NAME`, or a sign that means nothing. */
const SIGN = /\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*)|)/g;

/** Fills in variables, in all texts of a value. @param unknown called with each that the set lacks */
export function substituted(
  value: unknown,
  set: Readonly<Record<string, unknown>>,
  unknown: (variable: string) => void,
): unknown {
  if (typeof value === 'string')
    return value.replace(SIGN, (whole: string, sign?: string, braced?: string, bare?: string) => {
      if (sign !== undefined) return '$';
      const name = braced ?? bare ?? '';
      if (!Object.hasOwn(set, name)) unknown(whole);
      return Object.hasOwn(set, name) ? String(set[name]) : whole;
    });
  if (Array.isArray(value)) return value.map((one) => substituted(one, set, unknown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substituted(one, set, unknown)]));
}
