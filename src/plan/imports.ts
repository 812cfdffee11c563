import { fail, type SourceLocation, type Problem } from '../model/failure.js';
import type { JsonObject } from '../model/json.js';
import { type DepsImport, Lock } from '../model/schema/sections/locks.js';
import { problems, type Path } from './errors.js';
import type { ReadFile } from './read/release-file.js';

export interface Imported {
  readonly name: string;
  readonly entry: JsonObject;
  readonly origin: SourceLocation;
  readonly places: Readonly<Record<string, SourceLocation>>;
  readonly because: string | null;
}

export const importsOf = ({ content }: ReadFile): readonly (readonly [string, DepsImport])[] =>
  Object.entries(content.deps).flatMap(([name, one]) => ('import' in one ? [[name, one] as const] : []));

/** Merges imported entries into the file as if an author had written them. Each keeps its place in the imported file.
 * Throws every problem at once.
 * @param made imported entries by the name of their importing entry */
export function withImports(file: ReadFile, made: Readonly<Record<string, readonly Imported[]>>): ReadFile {
  const found: Problem[] = [];
  const deps: Record<string, Lock | DepsImport> = {};
  const imported = new Map<string, Imported>();
  for (const [name, one] of Object.entries(file.content.deps)) if (!('import' in one)) deps[name] = one;
  for (const [name, say] of importsOf(file))
    for (const one of made[name] ?? []) {
      if (one.name in deps) found.push(problems.importedTwice({ place: one.origin }, one.name));
      deps[one.name] = { ...lockOf(one, found), ...framed(say) };
      imported.set(one.name, one);
    }
  if (found.length > 0) throw fail(found);
  const leftOut = [...imported].flatMap(([name, { because }]) => (because === null ? [] : [[`deps/${name}`, because]]));
  return {
    ...file,
    content: { ...file.content, deps },
    at: (path, what) => placeOf(imported, path) ?? file.at(path, what),
    leftOut: Object.fromEntries(leftOut) as Record<string, string>,
  };
}

const framed = ({ on, timeout, retry }: DepsImport): Partial<Lock> => ({
  ...(on !== undefined && { on }),
  ...(timeout !== undefined && { timeout }),
  ...(retry !== undefined && { retry }),
});

function lockOf({ entry, origin, places }: Imported, found: Problem[]): Lock {
  const { data, error } = Lock.safeParse(entry);
  for (const { path, message } of error?.issues ?? [])
    found.push(problems.wrongValue({ place: places[String(path[0])] ?? origin }, `${path.join('.')}: ${message}`));
  return data ?? Lock.parse({});
}

function placeOf(imported: ReadonlyMap<string, Imported>, [section, name, key]: Path) {
  const one = section === 'deps' ? imported.get(String(name)) : undefined;
  if (one === undefined) return null;
  const path = ['deps', name, ...(key === undefined ? [] : [key])].join('.');
  return { place: one.places[String(key)] ?? one.origin, path };
}
