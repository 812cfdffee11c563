import type { Complain } from '../../../importers/file-problem.js';
import { textAt, valueAt } from '../../../importers/pyyaml/tree.js';
import { problems } from './errors.js';
import { definitionsOf } from './definitions.js';
import type { Part } from './include.js';
import { isSet, itemsOf, wordOf } from './sections.js';

/** A list of `definitions` whose specs are built before all others. */
export interface Bootstrap {
  readonly name: string;
  /** True: whatever compiler is there builds them. */
  readonly isAgnostic: boolean;
}

/** Reads `bootstrap` of `ci` or `gitlab-ci`. Complains of lists that are not there. */
export function readBootstrap(parts: readonly Part[], complain: Complain): readonly Bootstrap[] {
  const names = new Set(parts.flatMap(({ top }) => definitionsOf(top).map(([name]) => name)));
  return parts.flatMap(({ doc, top }) =>
    ['ci', 'gitlab-ci'].flatMap((key) =>
      itemsOf(valueAt(top, [key, 'bootstrap'])).flatMap((item) => {
        const name = wordOf(item) ?? textAt(item, 'name');
        if (name !== undefined && names.has(name)) return [{ name, isAgnostic: isSet(item, 'compiler-agnostic') }];
        complain(problems.bootstrapUndefined(doc.place(item.at), name));
        return [];
      }),
    ),
  );
}
