import { compileExpression, starExpression } from './expression.js';

/** Returns whether a branch or tag matches one of the globs. `*` matches anything but "/". */
export function namedBy(globs: readonly string[]): (name: string) => boolean {
  const expressions = globs.map((glob) => compileExpression(starExpression(glob), { whole: true }));
  return (name) => expressions.some((one) => one.test(name));
}

/** Whether a glob matches a branch or tag. */
export const isNamed = (name: string, globs: readonly string[]): boolean => namedBy(globs)(name);
