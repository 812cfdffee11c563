import { compileExpression, starExpression } from '../model/schema/expression.js';

/** Whether a glob matches a branch or tag. `*` matches anything but "/". */
export const isNamed = (name: string, globs: readonly string[]): boolean =>
  globs.some((glob) => compileExpression(starExpression(glob), { whole: true }).test(name));
