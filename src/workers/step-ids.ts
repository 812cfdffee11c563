import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { StepInput } from '../model/messages.js';

/** Adds the ids of run, step and attempt to each log line about a step. Temporal's own attributes have its delivery, not our attempt. */
export const stepIds: ActivityInterceptorsFactory = () => {
  let ids = {};
  return {
    inbound: {
      execute: (input, next) => {
        const { run, step, attempt: stepAttempt } = (input.args[0] ?? {}) as Partial<StepInput>;
        if (stepAttempt !== undefined) ids = { run, step, stepAttempt };
        return next(input);
      },
    },
    outbound: { getLogAttributes: (input, next) => next({ ...input, ...ids }) },
  };
};
