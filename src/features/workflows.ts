/** Workflows of features. */
export { comment, comments } from './campaigns/workflows.js';
