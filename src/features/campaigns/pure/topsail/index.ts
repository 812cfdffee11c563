export { topsail } from './lifecycle.js';
export { lintTemplate } from './lint.js';
export { refuseCalls, withToolbox } from './rewrite.js';
export { callLines, readExtra } from './show.js';
export { lookUp } from './call.js';
export { openToolbox, type Template } from './toolbox.js';
