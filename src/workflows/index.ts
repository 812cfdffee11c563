/** What the workflow worker serves. */
export { bisect } from './bisect.js';
export { index } from './index-writer.js';
export { pipeline, release } from './release.js';
export { requestCancel } from './cancel-itself.js';
export * from '../features/workflows.js';
// Temporal calls the default export for every other type.
// oxlint-disable-next-line import/no-default-export
export { unknownType as default } from './unknown-type.js';
