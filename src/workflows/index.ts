import type * as Features from '../features/workflows.js';
import type { CoreWorkflow, WorkflowName } from '../model/workflow-types.js';

/** What the workflow worker serves. */
export { bisect } from './bisect.js';
export { index } from './index-writer.js';
export { pipeline, release } from './release.js';
export { requestCancel } from './cancel-itself.js';
export * from '../features/workflows.js';
// Temporal calls the default export for every other type.
// oxlint-disable-next-line import/no-default-export
export { unknownType as default } from './fatal-errors.js';

type Exported = keyof typeof Features;
type None<Clash extends never, NoRow extends never, NoFunction extends never> = [Clash, NoRow, NoFunction];
/** Compiles only if the functions that features export are the rows of their `kinds.ts`, and none is the core's. */
export type FaultOfFeatures = None<
  `the core and a feature both export the workflow ${Extract<Exported, CoreWorkflow>}`,
  `a feature exports the workflow ${Exclude<Exported, WorkflowName>}, and no kinds.ts has its row`,
  `a kinds.ts has a row for the workflow ${Exclude<Exclude<WorkflowName, CoreWorkflow>, Exported>}, and no workflows.ts exports it`
>;
