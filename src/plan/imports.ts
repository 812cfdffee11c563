import { fail, type Problem } from '../model/failure.js';
import type { ImportedEntry } from '../model/imported-entry.js';
import type { JsonObject } from '../model/json.js';
import type { PlanImports } from '../model/plan.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import { Wheel } from '../model/schema/sections/builds.js';
import { NamedSource } from '../model/schema/sections/sources.js';
import { ClusterTest } from '../model/schema/sections/clusters.js';
import { Image } from '../model/schema/sections/images.js';
import { type DepsImport, Lock } from '../model/schema/sections/locks.js';
import type { TestsImport } from '../model/schema/sections/tests-import.js';
import type { WheelList } from '../model/schema/sections/wheel-list.js';
import { problems, type Path } from './errors.js';
import type { ReadFile } from './read/release-file.js';

/** Sections whose entries may import, and what imported entries are. */
const IMPORTING = { deps: Lock, tests: ClusterTest, wheels: Wheel } as const;
const SECTIONS = { ...IMPORTING, sources: NamedSource, images: Image } as const;
type Section = keyof typeof SECTIONS;

/** An entry that imports. */
export interface Import {
  readonly section: keyof typeof IMPORTING;
  readonly name: string;
  /** `tests/nightly` */
  readonly id: string;
  readonly say: DepsImport | TestsImport | WheelList;
}

export const importsOf = ({ content }: ReadFile): readonly Import[] =>
  (Object.keys(IMPORTING) as (keyof typeof IMPORTING)[]).flatMap((section) =>
    Object.entries<object>(content[section]).flatMap(([name, one]) =>
      'import' in one ? [{ section, name, id: `${section}/${name}`, say: one as Import['say'] }] : [],
    ),
  );

/** Keys of an import that all its entries take over. */
const FRAME = ['on', 'unserved', 'timeout', 'retry', 'onFailure', 'cutoff', 'retryFailed'];

/** Imported entries as a person would have written them, by the id of their import. */
export function framed(
  file: ReadFile,
  { section, name }: Import,
  made: readonly ImportedEntry[],
): readonly ImportedEntry[] {
  const said = (file.value as Record<string, Record<string, JsonObject>>)[section]![name]!;
  const frame = Object.fromEntries(Object.entries(said).filter(([key]) => FRAME.includes(key)));
  return made.map((one) => (one.section === undefined ? { ...one, entry: { ...one.entry, ...frame } } : one));
}

/** Merges imported entries into the file as if an author had written them. Each keeps its place in the imported file.
 * Throws every problem at once.
 * @param made imported entries by the id of their importing entry */
export function withImports(
  file: ReadFile,
  made: Readonly<Record<string, readonly ImportedEntry[]>>,
  imports: PlanImports,
): ReadFile {
  const found: Problem[] = [];
  const imported = new Map<string, ImportedEntry>();
  const sections = {} as Record<Section, Record<string, unknown>>;
  for (const section of Object.keys(SECTIONS) as Section[])
    sections[section] = Object.fromEntries(
      Object.entries<object>(file.content[section]).filter(([, one]) => !('import' in one)),
    );
  for (const { section: own, id } of importsOf(file))
    for (const one of made[id] ?? []) {
      const { section = own } = one;
      if (Object.hasOwn(sections[section], one.name))
        found.push(problems.importedTwice({ place: one.origin }, section, one.name));
      sections[section][one.name] = parsed(section, one, found);
      imported.set(`${section}/${one.name}`, one);
    }
  if (found.length > 0) throw fail(found);
  const leftOut = [...imported].flatMap(([id, { because }]) => (because === null ? [] : [[id, because] as const]));
  return {
    ...file,
    content: { ...file.content, ...(sections as Pick<ReleaseFile, Section>) },
    at: (path, what) => placeOf(imported, path) ?? file.at(path, what),
    leftOut: { ...file.leftOut, ...Object.fromEntries(leftOut) },
    imports,
  };
}

function parsed(section: Section, { entry, origin, places }: ImportedEntry, found: Problem[]): unknown {
  const { data, error } = SECTIONS[section].safeParse(entry);
  for (const { path, message } of error?.issues ?? [])
    found.push(problems.wrongValue({ place: places[String(path[0])] ?? origin }, `${path.join('.')}: ${message}`));
  return data;
}

function placeOf(imported: ReadonlyMap<string, ImportedEntry>, [section, name, key]: Path) {
  const one = imported.get(`${section}/${name}`);
  if (one === undefined) return null;
  const path = [section, name, ...(key === undefined ? [] : [key])].join('.');
  return { place: one.places[String(key)] ?? one.origin, path };
}
