/** Plain data: what crosses a room, a process or Temporal. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Canonical JSON text: keys in code-unit order, no white space, absent and undefined keys alike.
 * The digest of a noun is taken over this text, so that it never depends on who wrote the object. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const object = value as Record<string, unknown>;
  let text = '';
  // Array.prototype.sort compares code units where it is given no function.
  for (const key of Object.keys(object).sort()) {
    if (object[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonical(object[key])}`;
  }
  return `{${text}}`;
}
