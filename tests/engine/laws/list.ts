import { anyRun } from './any-run.js';
import { clock } from './clock.js';
import { gates } from './gates.js';
import type { Law } from './law.js';
import { outages } from './outages.js';
import { heap, windows } from './queues.js';
import { reminders } from './reminders.js';
import { simulation } from './simulation.js';
import { softFailures } from './soft-failures.js';
import { actions } from './actions.js';

/** All laws of the engine. `npm test` plays each with a recorded seed, `npm run laws` with fresh ones. */
export const LAWS: readonly Law[] = [
  anyRun,
  softFailures,
  ...outages,
  actions,
  clock,
  reminders,
  ...gates,
  windows,
  heap,
  ...simulation,
];
