import { compileExpression, starExpression } from '../model/schema/expression.js';

/** Whether one of the globs names a branch or tag; `*` is anything but "/". */
export const isNamed = (name: string, globs: readonly string[]): boolean =>
  globs.some((glob) => compileExpression(starExpression(glob), { whole: true }).test(name));
