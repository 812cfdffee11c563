import type { SourceLocation, Problem } from '../model/failure.js';
import type { JsonObject } from '../model/json.js';

/** A question about the source's commit. An importer never reads: planning answers, and calls it again. */
export type Ask =
  | { readonly ask: 'text'; readonly path: string }
  /** Names of the files in a folder, without those of folders below it. */
  | { readonly ask: 'folder'; readonly path: string }
  | { readonly ask: 'present'; readonly path: string };

/** Answers so far, by path. */
export interface ImportFacts {
  /** Null: the commit has no such file. */
  readonly text: Readonly<Record<string, string | null>>;
  /** Null: the commit has no such folder. */
  readonly folder: Readonly<Record<string, readonly string[] | null>>;
  readonly present: Readonly<Record<string, boolean>>;
}

/** An ordinary entry of a section, as a person would have written it, and where it comes from. */
export interface ImportedEntry {
  readonly name: string;
  readonly entry: JsonObject;
  readonly origin: SourceLocation;
  /** Places of its keys, where they are known better. */
  readonly places: Readonly<Record<string, SourceLocation>>;
  /** Why it is not made; null: it is. */
  readonly because: string | null;
}

export type Imported =
  | { readonly asks: readonly Ask[] }
  | {
      readonly entries: readonly ImportedEntry[];
      /** All problems at once. */
      readonly findings: readonly Problem[];
    };

/** Upstream's own file → entries. Pure: the same entry and facts give the same answer. */
export type Importer<E> = (entry: E, facts: ImportFacts) => Imported;
