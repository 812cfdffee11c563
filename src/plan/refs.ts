/** A reference of the release file, taken apart. */
export interface Ref {
  /** As written. */
  readonly text: string;
  /** `section/name`, or `source`. */
  readonly id: string;
  readonly pick: Readonly<Record<string, string>>;
  /** Axes of which all values are taken; `all` for `[*]`. */
  readonly gather: 'all' | readonly string[];
}

/** `a/b`, `a/b[x=v,y=*]`, `a/b[*]`; null when the brackets hold something else. */
export function parseRef(text: string): Ref | null {
  const [, id, inside] = /^([^[\]]+?)(?:\[([^[\]]*)\])?$/.exec(text) ?? [];
  if (id === undefined) return null;
  if (inside === undefined) return { text, id, pick: {}, gather: [] };
  if (inside.trim() === '*') return { text, id, pick: {}, gather: 'all' };
  const pairs = inside.split(',').map((pair) => pair.split('=').map((side) => side.trim()));
  if (pairs.some((pair) => pair.length !== 2 || pair.includes(''))) return null;
  return {
    text,
    id,
    pick: Object.fromEntries(pairs.filter(([, value]) => value !== '*') as [string, string][]),
    gather: pairs.filter(([, value]) => value === '*').map(([axis]) => axis!),
  };
}

export const plainRef = (id: string): Ref => ({ text: id, id, pick: {}, gather: [] });
