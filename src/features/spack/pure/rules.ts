import { cut } from '../../../importers/file-problem.js';
import type { Doc } from '../../../importers/pyyaml/read.js';
import { type Dict, isDict, jsonOf, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';
import type { SourceLocation } from '../../../model/failure.js';
import type { JsonObject } from '../../../model/json.js';
import { isMap, mergedAttributes, withoutAttributes } from './attributes.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { satisfies } from './spec/relate.js';
import type { Spec } from './spec/spec.js';

/** Something that changes the attributes of jobs, in the order in which it is applied. */
interface Rule {
  /** Patterns; the rule counts for specs that satisfy one of them. Null: for all. */
  readonly match: readonly Spec[] | null;
  readonly remove: JsonObject | null;
  readonly set: JsonObject | null;
  readonly place: SourceLocation;
}

/** A job of a pipeline: of a spec, of the index of the mirror, or the only one of a pipeline without specs. */
export type JobKind = 'build' | 'reindex' | 'noop';

/** Rules of which either the first hit counts, or all hits. */
interface Group {
  readonly rules: readonly Rule[];
  readonly isFirst: boolean;
  readonly of: JobKind | 'any';
}

/** How the jobs of an environment get their attributes. */
export interface Rules {
  /** The spec that patterns are compared with: that of the job, or the root that needs it. */
  readonly asks: 'own' | 'root';
  readonly groups: readonly Group[];
  /** Items that ask a server. */
  readonly dynamic: readonly SourceLocation[];
}

export interface Job {
  /** Tags, variables, scripts and all else, as `spack ci generate` hands them on. */
  readonly attributes: JsonObject;
  /** The rule that was applied last. Null: none was. */
  readonly place: SourceLocation | null;
  /** Rules that fit too and give other tags, where only the first one counts. */
  readonly shadowed: readonly SourceLocation[];
}

export interface JobTags extends Pick<Job, 'place' | 'shadowed'> {
  readonly tags: readonly string[];
}

/** Complaint about a part of the rules. */
type Complain = (place: SourceLocation, why: string) => void;

/** Reads `ci` or `gitlab-ci` of a spack.yaml. Null: it has neither. */
export function readRules(doc: Doc, complain: Complain): Rules | null {
  const [now, before] = [valueAt(doc.tree, ['spack', 'ci']), valueAt(doc.tree, ['spack', 'gitlab-ci'])];
  const items = isDict(now) ? now.keys.get('pipeline-gen')?.value : undefined;
  const mappings = [now, before].flatMap((one) => (isDict(one) ? (one.keys.get('mappings')?.value ?? []) : []))[0];
  if (items !== undefined) {
    const from = itemsOf(items).toReversed();
    const dynamic = from.filter(isDict).flatMap(({ keys }) => keys.get('dynamic-mapping') ?? []);
    const groups = from.flatMap(generated(doc, complain));
    return { asks: 'own', groups, dynamic: dynamic.map(({ at }) => doc.place(at)) };
  }
  if (mappings === undefined) return null;
  const rules = itemsOf(mappings).flatMap((one) =>
    isDict(one) ? ruleOf(doc, one, 'runner-attributes', complain) : [],
  );
  return { asks: 'root', groups: [{ rules, isFirst: true, of: 'build' }], dynamic: [] };
}

/** @param own the spec of the job
 * @param root the first root that needs it */
export function tagsOf(rules: Rules, own: Spec, root: Spec): JobTags {
  const { attributes, place, shadowed } = buildJob(rules, own, root, {});
  return { tags: tagsIn(attributes), place, shadowed };
}

/** @param attributes that each job has before rules are applied */
export function buildJob({ asks, groups }: Rules, own: Spec, root: Spec, attributes: JsonObject): Job {
  const spec = asks === 'own' ? own : root;
  let job: Job = { attributes, place: null, shadowed: [] };
  for (const { rules, isFirst, of } of groups) {
    if (of !== 'any' && of !== 'build') continue;
    const hits = rules.filter(({ match }) => match === null || match.some((one) => satisfies(spec, one)));
    const [first, ...others] = hits;
    if (!isFirst || first === undefined) job = hits.reduce(applied, job);
    else job = { ...applied(job, first), shadowed: [...job.shadowed, ...shadowedBy(first, others)] };
  }
  return job;
}

/** Returns the attributes of a job that builds no spec.
 * @param attributes as for `buildJob` */
export function namedJob({ groups }: Rules, kind: Exclude<JobKind, 'build'>, attributes: JsonObject): JsonObject {
  const rules = groups.filter(({ of }) => of === 'any' || of === kind).flatMap((group) => group.rules);
  return rules.reduce<Job>(applied, { attributes, place: null, shadowed: [] }).attributes;
}

const shadowedBy = (first: Rule, others: readonly Rule[]): readonly SourceLocation[] =>
  others.filter(({ set }) => tagsIn(set).join() !== tagsIn(first.set).join()).map(({ place }) => place);

/** Reads `tags`, or `tags::`. */
function tagsIn(attributes: JsonObject | null): readonly string[] {
  const tags = attributes?.['tags:'] ?? attributes?.['tags'];
  return Array.isArray(tags) ? tags.map(String) : [];
}

function applied({ attributes, shadowed }: Job, { remove, set, place }: Rule): Job {
  const left = withoutAttributes(attributes, remove ?? {});
  return { attributes: mergedAttributes(left, set ?? {}), place, shadowed };
}

const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : []);

/** Items are applied from the bottom of the list, and entries of a submapping are tried from its bottom. */
const generated =
  (doc: Doc, complain: Complain) =>
  (item: Tree): readonly Group[] => {
    if (!isDict(item)) return [];
    const submapping = item.keys.get('submapping')?.value;
    if (submapping === undefined)
      return (['any', 'build', 'reindex', 'noop'] as const).map((of) => ({
        ...{ rules: ruleOf(doc, item, `${of}-job`, complain), isFirst: false, of },
      }));
    const behaviour = item.keys.get('match_behavior')?.value;
    const rules = itemsOf(submapping)
      .toReversed()
      .flatMap((one) => (isDict(one) ? ruleOf(doc, one, 'build-job', complain) : []));
    return [{ rules, isFirst: !(behaviour?.kind === 'scalar' && behaviour.text === 'merge'), of: 'build' }];
  };

/** @param key of the attributes: `build-job` */
function ruleOf(doc: Doc, from: Dict, key: string, complain: Complain): readonly Rule[] {
  const [set, remove] = [from.keys.get(key), from.keys.get(`${key}-remove`)];
  const match = from.keys.get('match')?.value;
  if (set === undefined && remove === undefined && match === undefined) return [];
  const patterns = itemsOf(match).flatMap((one) => {
    const text = one.kind === 'scalar' ? one.text : '';
    const spec = parseSpec(text);
    if (isUnderstood(spec)) return [spec];
    complain(doc.place(one.at), `the pattern ${JSON.stringify(cut(text))} is not understood: ${spec.why}`);
    return [];
  });
  return [
    {
      match: match === undefined ? null : patterns,
      remove: attributesIn(remove?.value),
      set: attributesIn(set?.value),
      place: doc.place(set?.at ?? remove?.at ?? from.at),
    },
  ];
}

function attributesIn(tree: Tree | undefined): JsonObject | null {
  const read = tree === undefined ? null : jsonOf(tree);
  return isMap(read) ? read : null;
}
