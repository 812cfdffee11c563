/** What the workflow worker serves. */
export { release } from './release.js';
