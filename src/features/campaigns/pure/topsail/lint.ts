import type { Tree } from '../../../../importers/pyyaml/tree.js';
import type { Problem } from '../../../../model/failure.js';
import { openToolbox, type Template } from './toolbox.js';

/** Renders a template with each configuration, and returns the problems of each. A problem of the first one is told there alone. */
export function lintTemplate(template: NonNullable<Template>, trees: readonly Tree[]): readonly (readonly Problem[])[] {
  const told = new Set<string>();
  return trees.map((tree, index) => {
    const problems: Problem[] = [];
    openToolbox(template, tree, (one) => problems.push(one));
    const own = problems.filter((one) => !told.has(keyOf(one)));
    if (index === 0) for (const one of own) told.add(keyOf(one));
    return own;
  });
}

const keyOf = ({ message, place }: Problem): string => `${place?.line}:${place?.column} ${message}`;
