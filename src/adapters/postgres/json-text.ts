/** Returns JSON that PostgreSQL takes as jsonb: it refuses NUL and half of a surrogate pair, in keys too. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(ESCAPE, (escape) => (REFUSED.test(escape) ? String.raw`\ufffd` : escape));

/** An escape of JSON, as a whole. JSON.stringify escapes a surrogate only where its other half is missing. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;
const REFUSED = /^\\u(?:0000|d[89ab][0-9a-f]{2}|d[c-f][0-9a-f]{2})$/;
