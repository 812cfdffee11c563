import type { SourceLocation } from '../model/failure.js';
import type { Json, JsonObject } from '../model/json.js';

/** A value of the settings and the place that set it; or why there is none. */
export type SettingValue =
  | { readonly value: Json; readonly from: SourceLocation }
  | { readonly code: string; readonly message: string; readonly next: string };

/** Settings that entries of a release file name. */
export interface SettingValues {
  /** First part of the words that name them in texts: `config` for `{config.service.port}`. */
  readonly word: string;
  /** @param path the rest of the word, as typed: `service.port` */
  value(path: string): SettingValue;
  /** Document and the source of each of its leaves, stored as one record; its digest is `settings` of the plan. */
  readonly document: JsonObject;
}
