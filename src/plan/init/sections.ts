/** Sections of a release file by key: a comment, then lines. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** Replaces characters that a name in a release file may not have. */
export const nameOf = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 80) || 'project';
