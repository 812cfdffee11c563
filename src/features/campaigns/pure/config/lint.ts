import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { canonical } from '../../../../model/json.js';
import type { Tree } from '../../../../importers/pyyaml/tree.js';
import { configure, type Opened, openConfigWork } from './configure.js';
import { openMerge } from './merge.js';
import { presetsOf } from './presets.js';

/** What one preset does, applied alone. */
export interface Linted {
  readonly name: string;
  readonly place: SourceLocation;
  /** Number of values that it and those that it extends assign. */
  readonly assigns: number;
  readonly isEmpty: boolean;
  readonly tree: Tree;
  /** Problems that the configuration without it does not have. */
  readonly problems: readonly Problem[];
}

/** Names and places of all presets. */
const listPresets = ({ doc, layout }: Opened) =>
  presetsOf(openMerge(doc, { work: () => true, complain: () => undefined, layout }));

/** Applies every preset alone, and checks all references and models each time. */
export function lintPresets(opened: Opened): readonly Linted[] {
  const bare = { ...opened, say: { ...opened.say, apply: [] } };
  const told: Problem[] = [];
  const work = openConfigWork((problem) => told.push(problem), 10);
  const known = new Set(configure(bare, {}, work).problems.map(canonical));
  return listPresets(opened).map(({ name, place, value }) => {
    const isEmpty = value.kind === 'scalar' && value.type === 'null';
    const { configuration, problems } = configure(bare, { preset: [name] }, work);
    const own = problems.filter((one) => !known.has(canonical(one)));
    return {
      name,
      place,
      isEmpty,
      tree: configuration.tree,
      assigns: configuration.applied.length,
      problems: [...own, ...told.splice(0)],
    };
  });
}
