import type { Complain } from '../../../importers/file-problem.js';
import { placed } from '../../../importers/file-problem.js';
import type { SourceLocation } from '../../../model/failure.js';
import type { Runner } from '../schemas/environment.js';
import { concreteSpecs } from './concrete.js';
import { problems } from './errors.js';
import type { Lock } from './lock.js';
import { type JobTags, type Rules, tagsOf } from './rules.js';

/** The queue of a spec, and why it is that one. */
export interface ChosenQueue {
  readonly on: string;
  /** `tags spack, small (env/spack.yaml:12)` */
  readonly because: string;
}

/** Tags of upstream's own runners: they choose nothing here. */
const RESERVED = ['public', 'protected', 'notary', 'aws'];

/** Chooses a queue for each spec that is built: that of the first runner with all tags of its job. Complains of a job that no rule
 * maps, and of tags that no runner has.
 * @param at place of the runners in the release file */
export function queuesOf(
  lock: Lock,
  rules: Rules | null,
  runners: readonly Runner[],
  at: SourceLocation | undefined,
  complain: Complain,
): ReadonlyMap<string, ChosenQueue> {
  const specs = concreteSpecs(lock);
  const roots = rootsOf(lock);
  const chosen = new Map<string, ChosenQueue>();
  for (const [hash, { name, external }] of lock.specs) {
    if (external !== null) continue;
    const job: JobTags =
      rules === null ? { tags: [], place: null } : tagsOf(rules, specs.get(hash)!, specs.get(roots.get(hash) ?? hash)!);
    if (rules?.asks === 'root' && job.place === null) complain(problems.jobUnmapped(at, name));
    const wanted = job.tags.filter((tag) => !RESERVED.includes(tag));
    const lacking = runners.map(({ tags }) => wanted.filter((tag) => !tags.includes(tag)));
    const row = lacking.findIndex((tags) => tags.length === 0);
    if (row >= 0) chosen.set(hash, { on: runners[row]!.on, because: wordsOf(job) });
    else {
      const nearest = lacking.indexOf(lacking.toSorted((a, b) => a.length - b.length)[0]!);
      complain(problems.tagsUnserved(job.place ?? at, name, wanted, `runners[${nearest}]`, lacking[nearest]!));
    }
  }
  return chosen;
}

const wordsOf = ({ tags, place }: JobTags): string =>
  tags.length === 0 ? 'no tags' : `tags ${tags.join(', ')}${place === null ? '' : ` (${placed(place)})`}`;

/** The first root that needs each spec, by hash. */
function rootsOf({ roots, specs }: Lock): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { hash: root } of roots) {
    const below = new Set([root]);
    for (const hash of below) {
      if (found.has(hash)) continue;
      found.set(hash, root);
      for (const one of specs.get(hash)!.dependencies) below.add(one);
    }
  }
  return found;
}
