/** Sections of a release file by key: a comment, then lines. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** YAML is written by hand to have comments and short maps on one line. */
const PLAIN = /^[A-Za-z_./][\w./+='"();-]*( [\w./+='"();-]+)*$/;
const WORD = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

/** Writes a text as a YAML scalar, also valid inside brackets. Quoted if necessary. */
export const scalar = (text: string): string =>
  PLAIN.test(text) && !WORD.test(text) ? text : `'${printable(text).replaceAll("'", "''")}'`;

/** Names and requirements come from foreign files: they may not end a line inside quotes. */
const printable = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Escapes braces of a project's text, which are placeholders in a release file. */
export const literally = (text: string): string => text.replaceAll(/(?<!\$)\{(\w+)\}/g, '{{$1}}');

export const list = (texts: readonly string[]): string => `[${texts.map(scalar).join(', ')}]`;

export const map = (entries: Readonly<Record<string, string | null>>): string => {
  const parts = Object.entries(entries).flatMap(([key, value]) => (value === null ? [] : [`${key}: ${value}`]));
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
};

/** Wraps a comment. Foreign text cannot end it. */
export function comment(text: string, widest = WIDEST): string {
  const lines: string[] = [];
  for (const word of printable(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= widest) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}
const WIDEST = 118;

/** Replaces characters that a name in a release file may not have. */
export const nameOf = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 80) || 'project';
