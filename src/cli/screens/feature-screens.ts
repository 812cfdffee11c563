import type { JsonObject } from '../../model/json.js';
import type { Step } from '../../model/plan.js';
import type { Report } from '../../model/report.js';

/** A section of `slipway plan`. A step without rows is not in it. */
export interface PlanSection {
  readonly title: string;
  rows(step: Step): readonly (readonly string[])[];
}

/** What screens tell of the settings that the feature reads. */
export interface SettingsScreen {
  /** `word` of its settings. */
  readonly word: string;
  /** Answers `slipway why WORD.PATH`.
   * @param document the record of the settings. Throws if it has no such path. */
  why(document: JsonObject, path: string): { readonly lines: readonly string[]; readonly json: object };
  /** Returns path, value and source of each value that presets and options change. */
  changed(document: JsonObject): readonly (readonly string[])[];
  /** Returns the files of `slipway artifacts export` that tell the record. */
  files(document: JsonObject): Promise<Readonly<Record<string, string>>>;
}

/** Lines that a feature adds to screens. */
export interface FeatureScreens {
  readonly planned?: PlanSection;
  readonly settings?: SettingsScreen;
  /** Returns what parameters of a step stand for: fields that `slipway why` compares too. None for a step of others.
   * @param facts the record of the answers that its plan was made from */
  fields?(params: JsonObject, facts: JsonObject): Promise<JsonObject>;
  /** Lines of the last screen of a run, which `slipway status` prints too. */
  ending?(report: Report): readonly string[];
}
