/** `$$`, `${NAME}`, `$NAME`, or a sign that means nothing. */
const SIGN = /\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*)|)/g;

/** Fills in variables, in all texts of a value. @param textOf returns the value of a variable; null: it stays as it is */
export function substituted(value: unknown, textOf: (name: string, whole: string) => string | null): unknown {
  if (typeof value === 'string')
    return value.replace(SIGN, (whole: string, sign?: string, braced?: string, bare?: string) => {
      if (sign !== undefined) return '$';
      return textOf(braced ?? bare ?? '', whole) ?? whole;
    });
  if (Array.isArray(value)) return value.map((one) => substituted(one, textOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substituted(one, textOf)]));
}
