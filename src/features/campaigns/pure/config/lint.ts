import type { Tree } from '../../../../importers/pyyaml/tree.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { canonical } from '../../../../model/json.js';
import { configure, type Opened, openConfigWork } from './configure.js';
import { isNull } from './document.js';
import { problems as mistakes } from './errors.js';
import { COST } from './merge.js';
import { presetsIn } from './presets.js';

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

/** Applies every preset alone, and checks all references and models each time. */
export function lintPresets(opened: Opened): readonly Linted[] {
  const { doc, layout, say } = opened;
  const bare = { ...opened, say: { ...say, apply: [] } };
  const told: Problem[] = [];
  const work = openConfigWork((problem) => told.push(problem), 5);
  let isOver = false;
  const plain = configure(bare, {}, work);
  const known = new Set(plain.problems.map(canonical));
  return [...presetsIn(doc.tree, layout)].map(([name, { value, at }]) => {
    const isLeft = work(COST, doc.place(at));
    const { configuration, problems } = isLeft ? configure(bare, { preset: [name] }, work) : plain;
    const own = problems.filter((one) => !known.has(canonical(one)));
    const found = isOver ? [mistakes.notChecked({ file: doc.file })] : [...own, ...told];
    isOver ||= told.length > 0;
    return {
      ...{ name, place: doc.place(at), isEmpty: isNull(value), tree: configuration.tree },
      assigns: configuration.applied.length,
      problems: found,
    };
  });
}
