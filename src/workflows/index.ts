/** What the workflow worker serves. */
export { release } from './release.js';
export { requestCancel } from './cancel-itself.js';
