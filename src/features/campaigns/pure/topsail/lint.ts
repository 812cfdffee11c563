import type { Tree } from '../../../../importers/pyyaml/tree.js';
import type { Problem } from '../../../../model/failure.js';
import { openToolbox, type Template } from './toolbox.js';

/** A configuration that a template is rendered with. */
export interface Rendering {
  /** Null: no preset is applied. */
  readonly preset: string | null;
  readonly tree: Tree;
}

/** Renders a template with each configuration. A problem that the configuration without presets has too is told once. */
export function lintTemplate(
  template: NonNullable<Template>,
  renderings: readonly Rendering[],
): readonly { readonly preset: string | null; readonly problems: readonly Problem[] }[] {
  const told = new Set<string>();
  return renderings.map(({ preset, tree }) => {
    const problems: Problem[] = [];
    openToolbox(template, tree, (one) => problems.push(one));
    const keyOf = ({ message, place }: Problem): string => `${place?.line}:${place?.column} ${message}`;
    const own = problems.filter((one) => !told.has(keyOf(one)));
    if (preset === null) for (const one of own) told.add(keyOf(one));
    return { preset, problems: own };
  });
}
