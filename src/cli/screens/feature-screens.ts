import type { JsonObject } from '../../model/json.js';
import type { Step } from '../../model/plan.js';
import type { Report } from '../../model/report.js';

/** A section of `slipway plan`. A step without rows is not in it. */
export interface PlanSection {
  readonly title: string;
  rows(step: Step): readonly (readonly string[])[];
}

/** Lines that a feature adds to screens. */
export interface FeatureScreens {
  readonly planned?: PlanSection;
  /** Lines of the last screen of a run, which `slipway status` prints too. */
  ending?(report: Report): readonly string[];
  /** Files of `slipway artifacts export` that tell the settings of a plan, from their record. */
  settings?(record: JsonObject): Promise<Readonly<Record<string, string>>>;
}
