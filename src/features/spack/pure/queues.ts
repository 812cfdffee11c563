import type { Complain } from '../../../importers/file-problem.js';
import { placed, type SourceLocation } from '../../../model/failure.js';
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
  /** Rules that fit too, and do not count. */
  readonly shadowed: readonly SourceLocation[];
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
      rules === null
        ? { tags: [], place: null, shadowed: [] }
        : tagsOf(rules, specs.get(hash)!, specs.get(roots.get(hash) ?? hash)!);
    if (rules?.asks === 'root' && job.place === null) complain(problems.jobUnmapped(at, name));
    const found = runnerOf(job, runners);
    if (typeof found === 'string') chosen.set(hash, { on: found, because: wordsOf(job), shadowed: job.shadowed });
    else complain(problems.tagsUnserved(job.place ?? at, name, job.tags, `runners[${found.nearest}]`, found.lacks));
  }
  return chosen;
}

/** Returns the queue of the first runner with all tags of a job, or the runner that lacks the fewest. */
function runnerOf({ tags }: JobTags, runners: readonly Runner[]) {
  const lacking = runners.map((one) => tags.filter((tag) => !one.tags.includes(tag) && !RESERVED.includes(tag)));
  const row = lacking.findIndex((some) => some.length === 0);
  if (row >= 0) return runners[row]!.on;
  const [lacks = []] = lacking.toSorted((a, b) => a.length - b.length);
  return { nearest: lacking.indexOf(lacks), lacks };
}

const wordsOf = ({ tags, place }: JobTags): string =>
  tags.length === 0 ? 'no tags' : `tags ${tags.join(', ')}${place === null ? '' : ` (${placed(place)})`}`;

/** The first root that needs each spec, by hash. */
export function rootsOf({ roots, specs }: Lock): ReadonlyMap<string, string> {
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
