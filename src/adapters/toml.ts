import { parse, TomlError } from 'smol-toml';
import type { BrokenFile } from '../model/checkout.js';
import type { JsonObject } from '../model/json.js';

/** Reads TOML as JSON. A text that is none is `broken`. */
export function parsedToml(path: string, text: string): { data?: JsonObject; broken?: BrokenFile } {
  try {
    return { data: JSON.parse(JSON.stringify(parse(text))) as JsonObject };
  } catch (error) {
    if (!(error instanceof TomlError)) return { broken: { path, line: 1, column: 1, why: String(error) } };
    const why = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return { broken: { path, line: error.line, column: error.column, why } };
  }
}
