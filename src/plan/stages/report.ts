import { CONTROL } from '../../model/ids.js';
import { plannedStep } from '../planned-step.js';
import type { Stage } from '../stage.js';

/** Runs after all steps, whatever their outcome. */
export const report: Stage = {
  id: 'report',
  title: 'writing the report',
  steps: (_, made) => [
    plannedStep('writeReport', {
      id: 'report/run',
      on: CONTROL,
      params: {},
      after: made.drafts.map((one) => one.step.id),
    }),
  ],
};
