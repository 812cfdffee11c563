/** Sections of a release file by key: a comment, then lines. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** Names of others may hold more than names here do. */
export const nameOf = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 80) || 'project';
