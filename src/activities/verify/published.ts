import { publishedBy } from '../../engine/ledger/published.js';
import { fail } from '../../model/failure.js';
import type { Work } from '../work.js';
import { nothingToVerify } from '../publish/errors.js';
import type { Item } from '../publish/target.js';

/** What publish steps say they brought to this step's target. */
export function publishedHere(work: Pick<Work<'verifyTarget'>, 'inputs' | 'step'>): readonly Item[] {
  const target = work.step.params.target.name;
  const items = work.inputs
    .filter((result) => result.facts['target'] === target)
    .flatMap(publishedBy)
    .map(({ name, digest, url }): Item => ({
      name,
      url,
      artifact: { name, digest, kind: 'file', size: 0, labels: {} },
    }));
  if (items.length === 0) throw fail(nothingToVerify(target));
  return items;
}
