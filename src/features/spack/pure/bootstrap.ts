import type { Complain } from '../../../importers/file-problem.js';
import { isDict, textAt, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';
import { problems } from './errors.js';
import { definitionsOf } from './expand.js';
import type { Part } from './include.js';

/** A list of `definitions` whose specs are built before all others. */
export interface Bootstrap {
  readonly name: string;
  /** True: whatever compiler is there builds them. */
  readonly isAgnostic: boolean;
}

/** Reads `bootstrap` of `ci` or `gitlab-ci`. Complains of lists that are not there. */
export function readBootstrap(parts: readonly Part[], complain: Complain): readonly Bootstrap[] {
  const names = new Set(parts.flatMap(({ top }) => [...definitionsOf(top)].map(([name]) => name)));
  return parts.flatMap(({ doc, top }) =>
    ['ci', 'gitlab-ci'].flatMap((key) =>
      itemsOf(valueAt(top, [key, 'bootstrap'])).flatMap((item) => {
        const name = isDict(item) ? textAt(item, 'name') : item.kind === 'scalar' ? item.text : undefined;
        const agnostic = isDict(item) ? valueAt(item, ['compiler-agnostic']) : undefined;
        if (name !== undefined && names.has(name))
          return [{ name, isAgnostic: agnostic?.kind === 'scalar' && agnostic.value === true }];
        complain(problems.bootstrapUndefined(doc.place(item.at), name));
        return [];
      }),
    ),
  );
}

const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : []);
