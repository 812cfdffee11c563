/** Plain data that crosses rooms, processes and Temporal. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Parses JSON. Null for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Canonical JSON text: keys in code-unit order, no white space, undefined keys left out. Digests are taken over this
 * text, so that key order does not matter. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const object = value as Record<string, unknown>;
  let text = '';
  // Array.prototype.sort without a function compares code units.
  for (const key of Object.keys(object).sort()) {
    if (object[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonical(object[key])}`;
  }
  return `{${text}}`;
}
