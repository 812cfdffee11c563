import type { Complain } from '../../../importers/file-problem.js';
import { placed, type SourceLocation } from '../../../model/failure.js';
import type { JsonObject } from '../../../model/json.js';
import type { Row } from '../../../model/rows.js';
import { compileExpression, starExpression } from '../../../model/schema/expression.js';
import type { EnvironmentImport, Runner } from '../schemas/environment.js';
import { isMap } from './attributes.js';
import { below, type LeftOut } from './chosen.js';
import { concreteSpecs } from './concrete.js';
import { problems } from './errors.js';
import type { Lock } from './lock.js';
import { buildJob, type Job, NO_JOB, type Rule, type Rules, tagsIn } from './rules.js';

/** How a spec is built, and why so. */
export interface ChosenJob {
  /** Queue. Null: that of the import. */
  readonly runner: Runner | null;
  /** `linux-x86_64 by tags spack, small (env/spack.yaml:12)`. Null: tags choose nothing. */
  readonly because: string | null;
  /** What its rules say. */
  readonly trail: NonNullable<Row['trail']>;
  /** Rules that fit too, and do not count. */
  readonly shadowed: readonly SourceLocation[];
  /** A name in bases. Null: it is built on the worker itself. */
  readonly base: string | null;
  /** Variables of the job, as text. */
  readonly variables: Readonly<Record<string, string>>;
  /** Attributes of the job that no run reads. */
  readonly ignored: readonly string[];
}
export type Jobs = ReadonlyMap<string, ChosenJob>;

/** Tags of upstream's own runners: they choose nothing here. */
const RESERVED = ['public', 'protected', 'notary', 'aws'];

/** Chooses queue, base and variables of each spec that is built. Complains of a job that no rule maps, and of tags that no runner has.
 * @param at place of the runners in the release file */
export function jobsOf(
  lock: Lock,
  rules: Rules | null,
  { runners, images }: Pick<EnvironmentImport, 'runners' | 'images'>,
  at: SourceLocation | undefined,
  complain: Complain,
): Jobs {
  const specs = concreteSpecs(lock);
  const roots = rootsOf(lock);
  const bases = Object.entries(images).map(([image, base]) => ({
    ...{ base, image: compileExpression(starExpression(image, '.*'), { whole: true }) },
  }));
  const chosen = new Map<string, ChosenJob>();
  for (const [hash, { name, external }] of lock.specs) {
    if (external !== null) continue;
    const job = rules === null ? NO_JOB : buildJob(rules, specs.get(hash)!, specs.get(roots.get(hash) ?? hash)!, {});
    if (rules?.asks === 'root' && job.rules.length === 0) complain(problems.jobUnmapped(at, name));
    const tags = tagsIn(job.attributes);
    const found = runners === undefined ? { runner: null } : runnerOf(tags, runners);
    if (found.runner === undefined)
      complain(
        problems.tagsUnserved(job.rules.at(-1)?.place ?? at, name, tags, `runners[${found.nearest}]`, found.lacks),
      );
    else {
      const image = imageOf(job.attributes);
      const base = bases.find((one) => image !== null && one.image.test(image))?.base ?? null;
      chosen.set(hash, {
        ...{ runner: found.runner, because: found.runner && `${found.runner.on} by ${wordsOf(tags, job)}` },
        ...{ trail: job.rules.flatMap(trailOf), shadowed: job.shadowed, base, variables: variablesOf(job.attributes) },
        ignored: Object.keys(job.attributes).filter((key) => !READ.includes(key) && (key !== 'image' || base === null)),
      });
    }
  }
  return chosen;
}

const READ = ['tags', 'variables'];

/** Attributes of a rule that a run reads. */
const trailOf = ({ set, remove, place }: Rule): ChosenJob['trail'] =>
  Object.entries({ sets: set, 'takes away': remove }).flatMap(([words, attributes]) =>
    Object.entries(attributes)
      .filter(([key]) => /^(tags|variables|image)\W?$/.test(key))
      .map(([key, value]) => ({ key, words, value: JSON.stringify(value), place })),
  );

/** Leaves out the specs of roots that no entry of `mappings` fits. */
export function mapped(lock: Lock, rules: Rules | null): { readonly lock: Lock; readonly left: LeftOut } {
  if (rules?.asks !== 'root') return { lock, left: [] };
  const specs = concreteSpecs(lock);
  const fits = ({ hash }: Lock['roots'][number]): boolean =>
    buildJob(rules, specs.get(hash)!, specs.get(hash)!, {}).rules.length > 0;
  return below(lock, fits, 'no mapping of spack.yaml fits a root that needs it');
}

/** Returns the first runner with all tags of a job, or the place of that which lacks the fewest. */
function runnerOf(tags: readonly string[], runners: readonly Runner[]) {
  const lacking = runners.map((one) => tags.filter((tag) => !one.tags.includes(tag) && !RESERVED.includes(tag)));
  const row = lacking.findIndex((some) => some.length === 0);
  if (row >= 0) return { runner: runners[row]! };
  const [lacks = []] = lacking.toSorted((a, b) => a.length - b.length);
  return { nearest: lacking.indexOf(lacks), lacks };
}

const wordsOf = (tags: readonly string[], { rules }: Job): string =>
  tags.length === 0 ? 'no tags' : `tags ${tags.join(', ')}${rules.slice(-1).map(({ place }) => ` (${placed(place)})`)}`;

/** GitLab has an image as a text, or as a map with its name. */
function imageOf({ image }: JsonObject): string | null {
  const name = isMap(image) ? image['name'] : image;
  return typeof name === 'string' ? name : null;
}

function variablesOf({ variables }: JsonObject): Readonly<Record<string, string>> {
  const all = isMap(variables) ? Object.entries(variables) : [];
  const plain = all.filter(([key, value]) => typeof value !== 'object' && /^[A-Za-z_]\w*$/.test(key));
  return Object.fromEntries(plain.map(([key, value]) => [key, String(value)]));
}

/** The first root that needs each spec, by hash. */
export function rootsOf({ roots, specs }: Lock): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { hash: root } of roots) {
    const needed = new Set([root]);
    for (const hash of needed) {
      if (found.has(hash)) continue;
      found.set(hash, root);
      for (const one of specs.get(hash)!.dependencies) needed.add(one);
    }
  }
  return found;
}
