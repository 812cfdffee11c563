export { type Called, lookUp } from './call.js';
export { topsail } from './lifecycle.js';
export { lintTemplate, type Rendering } from './lint.js';
export { hasCalls, refuseCalls, withLines } from './rewrite.js';
export { callLines, readExtra } from './show.js';
export { openToolbox, templateBeside, type Template, type Toolbox } from './toolbox.js';
