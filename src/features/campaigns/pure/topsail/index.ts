export { topsail } from './lifecycle.js';
export { lintTemplate } from './lint.js';
export { refuseCalls, withToolbox } from './rewrite.js';
export { callLines, type CallView, readExtra } from './show.js';
export type { Template } from './toolbox.js';
