/** A parsed reference of the release file. */
export interface Ref {
  readonly text: string;
  /** `section/name`, or `source`. */
  readonly id: string;
  readonly pick: Readonly<Record<string, string>>;
  /** Axes whose values are all taken. `all` for `[*]`. */
  readonly gather: 'all' | readonly string[];
}

/** Parses `a/b`, `a/b[x=v,y=*]`, `a/b[*]`. Null for other bracket contents. */
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
