import { canonical, type Json, type JsonObject } from '../../../model/json.js';

/** How a value joins the one that is there. Strings are joined by `prepend` and `append` alone; lists are put before by `merge` too. */
type Mode = 'merge' | 'replace' | 'prepend' | 'append';

const MODES: Readonly<Record<string, Mode>> = { ':': 'replace', '+': 'prepend', '-': 'append' };

/** Reads `tags::`, `tags+:` and `tags-:`. YAML takes the last colon of a key. */
function keyOf(text: string): { readonly key: string; readonly mode: Mode } {
  const mode = MODES[text.at(-1) ?? ''];
  return mode === undefined ? { key: text, mode: 'merge' } : { key: text.slice(0, -1), mode };
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
export const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const entriesOf = (map: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(map).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));

/** Returns values of the first list that are not in the second one. */
function lacking(list: readonly Json[], other: readonly Json[]): readonly Json[] {
  const known = new Set(other.map(canonical));
  return list.filter((one) => !known.has(canonical(one)));
}

/** Adds attributes of a rule to those of a job, as `merge_yaml` of Spack (lib/spack/spack/schema/__init__.py) does. */
export function mergedAttributes<T extends Json>(own: T, added: Json, mode?: Mode): T;
export function mergedAttributes(own: Json, added: Json, mode: Mode = 'merge'): Json {
  if (isList(own) && isList(added))
    return mode === 'append' ? [...lacking(own, added), ...added] : [...added, ...lacking(own, added)];
  if (isMap(own) && isMap(added)) {
    const first = entriesOf(added).map(([text, value]) => {
      const { key, mode: how } = keyOf(text);
      const before = Object.hasOwn(own, key) ? own[key] : undefined;
      const isNew = before === undefined || how === 'replace';
      return [key, isNew ? signless(value) : mergedAttributes(before, value, how)] as const;
    });
    const names = new Set(first.map(([key]) => key));
    return Object.fromEntries([...first, ...entriesOf(own).filter(([key]) => !names.has(key))]);
  }
  if (typeof own === 'string' && typeof added === 'string' && mode === 'prepend') return added + own;
  if (typeof own === 'string' && typeof added === 'string' && mode === 'append') return own + added;
  return signless(added);
}

const signless = (value: Json): Json =>
  isMap(value) ? Object.fromEntries(entriesOf(value).map(([text, one]) => [keyOf(text).key, signless(one)])) : value;

/** Takes attributes from those of a job, as `remove_yaml` of Spack (lib/spack/spack/config.py) does: items of lists, and keys that are
 * written with two colons. A single value stays. */
export function withoutAttributes<T extends Json>(own: T, removed: Json): T;
export function withoutAttributes(own: Json, removed: Json): Json {
  if (isList(own) && isList(removed)) return lacking(own, removed);
  if (!isMap(own) || !isMap(removed)) return own;
  const named = new Map(entriesOf(removed).map(([text, value]) => [keyOf(text).key, { ...keyOf(text), value }]));
  return Object.fromEntries(
    entriesOf(own).flatMap(([key, value]) => {
      const one = named.get(key);
      if (one?.mode === 'replace') return [];
      return [[key, one === undefined ? value : withoutAttributes(value, one.value)] as const];
    }),
  );
}
