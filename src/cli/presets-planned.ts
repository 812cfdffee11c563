import { type Problem, SlipwayFailure } from '../model/failure.js';
import type { Finding } from '../model/finding.js';
import type { Plan } from '../model/plan.js';
import type { SettingsPart } from '../plan/feature.js';

/** Steps of the plans of all presets together. */
const MOST_STEPS = 50_000;
/** A plan costs as much as so many steps, also one that fails. */
const COST = 20;

/** Plans with each preset that can be applied. Returns the parts with the problems of those plans, which the file without a preset
 * does not have. */
export async function withPlans(
  parts: readonly SettingsPart[],
  planWith: (preset: string) => Promise<Plan>,
  file: string,
): Promise<readonly SettingsPart[]> {
  let left = MOST_STEPS;
  const made: SettingsPart[] = [];
  for (const part of parts) {
    const isSound = part.by !== undefined && part.findings.length === 0;
    if (!isSound) made.push(part);
    else if (left <= 0) made.push({ ...part, findings: [notPlanned(file)] });
    else {
      const { steps, problems } = await planWith(part.name).then(planned, failed);
      left -= COST + steps.length;
      made.push({ ...part, findings: problems.map(findingOf) });
    }
  }
  return made;
}

type Tried = Pick<Plan, 'steps'> & { readonly problems: readonly Problem[] };
const planned = ({ steps }: Plan): Tried => ({ steps, problems: [] });
const failed = (error: unknown): Tried => {
  if (error instanceof SlipwayFailure) return { steps: [], problems: error.problems };
  throw error;
};

const findingOf = ({ code, place, path, message, next }: Problem): Finding => ({
  ...{ level: 'error', code, why: message, next },
  subject: [[place?.file, place?.line, place?.column].filter((one) => one !== undefined).join(':'), path]
    .filter(Boolean)
    .join(' '),
});

const notPlanned = (file: string): Finding => ({
  ...{ level: 'error', code: 'PRESET_NOT_PLANNED', subject: file },
  why: `the plans of the presets before it have more than ${MOST_STEPS} steps, so nobody planned with it`,
  next: 'Type `slipway plan --preset NAME` for each of these presets.',
});
