import { z } from 'zod';
import { fail, type Problem } from '../model/failure.js';
import type { Importers } from '../importers/importer.js';
import type { ImportedEntry } from '../model/imported-entry.js';
import type { JsonObject } from '../model/json.js';
import type { PlanImports } from '../model/plan.js';
import { type EntryImport, IMPORT_FORMS } from '../model/schema/entry-forms.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import { entriesOf } from './entries.js';
import { problems, type Path } from './errors.js';
import type { ReadFile } from './read/release-file.js';

type Section = keyof ReleaseFile;
/** Sections whose entries may import. In this order a plan names its imports. */
const IMPORTING = [...new Set<Section>(IMPORT_FORMS.map(({ section }) => section))].sort();

/** An entry that imports. */
export interface Import {
  readonly section: Section;
  readonly name: string;
  /** `tests/nightly` */
  readonly id: string;
  readonly say: EntryImport;
}

const entriesIn = ({ content }: ReadFile, section: Section) => Object.entries<unknown>(entriesOf(content, section));
const isImport = (one: unknown): one is EntryImport => typeof one === 'object' && one !== null && 'import' in one;

export const importsOf = (file: ReadFile): readonly Import[] =>
  IMPORTING.flatMap((section) =>
    entriesIn(file, section).flatMap(([name, say]) =>
      isImport(say) ? [{ section, name, id: `${section}/${name}`, say }] : [],
    ),
  );

/** Keys of an import that all its entries take over. */
const FRAME = ['when', 'on', 'unserved', 'timeout', 'retry', 'onFailure', 'cutoff', 'retryFailed'];

/** Imported entries as a person would have written them, by the id of their import. */
export function framed(
  file: ReadFile,
  { section, name }: Import,
  made: readonly ImportedEntry[],
): readonly ImportedEntry[] {
  const said = (file.value as Record<string, Record<string, JsonObject>>)[section]![name]!;
  const frame = Object.fromEntries(Object.entries(said).filter(([key]) => FRAME.includes(key)));
  return made.map((one) =>
    one.section === undefined || one.framed ? { ...one, entry: { ...one.entry, ...frame } } : one,
  );
}

/** Refuses an entry of a section that is not in `makes` of its importer. */
const UNLISTED = z.never({ error: 'the importer does not list its section in `makes`' });

/** Merges imported entries into the file as if an author had written them. Each keeps its place in the imported file.
 * Throws every problem at once.
 * @param made imported entries by the id of their importing entry */
export function withImports(
  file: ReadFile,
  made: Readonly<Record<string, readonly ImportedEntry[]>>,
  imports: PlanImports,
  importers: Importers,
): ReadFile {
  const found: Problem[] = [];
  const imported = new Map<string, ImportedEntry>();
  const asked = importsOf(file);
  const sections: Partial<Record<Section, Record<string, unknown>>> = Object.fromEntries(
    asked.map(({ section }) => [
      section,
      Object.fromEntries(entriesIn(file, section).filter(([, one]) => !isImport(one))),
    ]),
  );
  for (const { section: own, id, say } of asked)
    for (const one of made[id] ?? []) {
      const { section = own } = one;
      const entries = (sections[section] ??= Object.fromEntries(entriesIn(file, section)));
      if (Object.hasOwn(entries, one.name))
        found.push(problems.importedTwice({ place: one.origin }, section, one.name));
      entries[one.name] = parsed(importers[say.import]!.makes[section], one, found);
      imported.set(`${section}/${one.name}`, one);
    }
  if (found.length > 0) throw fail(found);
  const leftOut = [...imported].flatMap(([id, { because }]) => (because === null ? [] : [[id, because] as const]));
  return {
    ...file,
    content: { ...file.content, ...(sections as Partial<ReleaseFile>) },
    at: (path, what) => placeOf(imported, path) ?? file.at(path, what),
    leftOut: { ...file.leftOut, ...Object.fromEntries(leftOut) },
    imports,
  };
}

function parsed(schema: z.ZodType | undefined, { entry, origin, places }: ImportedEntry, found: Problem[]): unknown {
  const { data, error } = (schema ?? UNLISTED).safeParse(entry);
  for (const { path, message } of error?.issues ?? [])
    found.push(
      problems.wrongValue(
        { place: places[String(path[0])] ?? origin },
        `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
      ),
    );
  return data;
}

function placeOf(imported: ReadonlyMap<string, ImportedEntry>, [section, name, key]: Path) {
  const one = imported.get(`${section}/${name}`);
  if (one === undefined) return null;
  const path = [section, name, ...(key === undefined ? [] : [key])].join('.');
  return { place: one.places[String(key)] ?? one.origin, path };
}
