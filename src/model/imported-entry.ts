import type { SourceLocation } from './failure.js';
import type { JsonObject } from './json.js';
import type { ReleaseFile } from './schema/release-file.js';

/** An ordinary entry of a section, as a person would have written it, and where it comes from. */
export interface ImportedEntry {
  /** Section of the release file, if it is another one than the importing entry's. */
  readonly section?: keyof ReleaseFile;
  /** True if it has the keys of the importing entry's frame, although its section is another one. */
  readonly framed?: true;
  readonly name: string;
  readonly entry: JsonObject;
  readonly origin: SourceLocation;
  /** Places of its keys, where they are known better. */
  readonly places: Readonly<Record<string, SourceLocation>>;
  /** Why it is not made; null: it is. */
  readonly because: string | null;
}
