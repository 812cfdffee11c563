import { type Complain, cut } from '../../../importers/file-problem.js';
import type { Doc } from '../../../importers/pyyaml/read.js';
import { EMPTY, isDict, jsonOf, positionOf, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';
import type { SourceLocation } from '../../../model/failure.js';
import type { JsonObject } from '../../../model/json.js';
import { isMap, mergedAttributes, withoutAttributes } from './attributes.js';
import { problems } from './errors.js';
import type { Part } from './include.js';
import { itemsOf, wordOf } from './sections.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { satisfies } from './spec/relate.js';
import type { Spec } from './spec/spec.js';

/** Something that changes the attributes of jobs, in the order in which it is applied. */
export interface Rule {
  /** Patterns; the rule counts for specs that satisfy one of them. Null: for all. */
  readonly match: readonly Spec[] | null;
  readonly remove: JsonObject;
  readonly set: JsonObject;
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
  /** All that were applied, in their order. */
  readonly rules: readonly Rule[];
  /** Rules that fit too and give other tags, where only the first one counts. */
  readonly shadowed: readonly SourceLocation[];
}

/** A job before any rule. */
export const NO_JOB: Job = { attributes: {}, shadowed: [], rules: [] };

/** Reads `ci` or `gitlab-ci` of a spack.yaml, then of the files that it includes. Null: no file has rules. */
export function readRules(parts: readonly Part[], complain: Complain): Rules | null {
  for (const { doc, top } of parts) {
    const before = valueAt(top, ['gitlab-ci']);
    if (before !== undefined && top.keys.has('ci')) complain(problems.rulesTwice(doc.place(before.at)));
  }
  const isSaid = (...path: readonly string[]) => parts.some(({ top }) => valueAt(top, path) !== undefined);
  const itemsAt = ({ doc, top }: Part, ...path: readonly string[]) =>
    itemsOf(valueAt(top, path)).map((item) => ({ doc, item }));
  if (isSaid('ci', 'pipeline-gen')) {
    const from = parts.flatMap((part) => itemsAt(part, 'ci', 'pipeline-gen')).toReversed();
    const asking = from.filter(({ item }) => valueAt(item, ['dynamic-mapping']) !== undefined);
    const dynamic = asking.map(({ doc, item }) => doc.place(positionOf(item, ['dynamic-mapping'])));
    return { asks: 'own', groups: from.flatMap(({ doc, item }) => groupsOf(doc, item, complain)), dynamic };
  }
  if (!isSaid('ci', 'mappings') && !isSaid('gitlab-ci', 'mappings')) return null;
  const rules = parts
    .flatMap((part) => [...itemsAt(part, 'ci', 'mappings'), ...itemsAt(part, 'gitlab-ci', 'mappings')])
    .flatMap(({ doc, item }) => ruleOf(doc, item, 'runner-attributes', complain));
  for (const { set, place } of rules) if (tagsIn(set).length === 0) complain(problems.runnerWithoutTags(place));
  return { asks: 'root', groups: [{ rules, isFirst: true, of: 'build' }], dynamic: [] };
}

/** @param own the spec of the job
 * @param root the first root that needs it
 * @param attributes that each job has before rules are applied */
export function buildJob({ asks, groups }: Rules, own: Spec, root: Spec, attributes: JsonObject): Job {
  const spec = asks === 'own' ? own : root;
  let job: Job = { ...NO_JOB, attributes };
  for (const { rules, isFirst, of } of groups) {
    if (of !== 'any' && of !== 'build') continue;
    const hits = rules.filter(({ match }) => match === null || match.some((one) => satisfies(spec, one)));
    const [first, ...others] = hits;
    if (!isFirst || first === undefined) job = hits.reduce(applied, job);
    else job = { ...applied(job, first), shadowed: [...job.shadowed, ...shadowedBy(first, others)] };
  }
  return job;
}

/** Returns the attributes of a job that builds no spec. @param attributes as for `buildJob` */
export function namedJob({ groups }: Rules, kind: Exclude<JobKind, 'build'>, attributes: JsonObject): JsonObject {
  const rules = groups.filter(({ of }) => of === 'any' || of === kind).flatMap((group) => group.rules);
  return rules.reduce<Job>(applied, { ...NO_JOB, attributes }).attributes;
}

const shadowedBy = (first: Rule, others: readonly Rule[]): readonly SourceLocation[] =>
  others.filter(({ set }) => tagsIn(set).join() !== tagsIn(first.set).join()).map(({ place }) => place);

/** Reads `tags`, or `tags::`. */
export function tagsIn(attributes: JsonObject): readonly string[] {
  const tags = attributes['tags:'] ?? attributes['tags'];
  return Array.isArray(tags) ? tags.map(String) : [];
}

function applied({ attributes, shadowed, rules }: Job, rule: Rule): Job {
  const left = withoutAttributes(attributes, rule.remove);
  return { attributes: mergedAttributes(left, rule.set), shadowed, rules: [...rules, rule] };
}

const JOBS = ['any', 'build', 'cleanup', 'copy', 'noop', 'reindex', 'signing'];
/** The kind of an item by each of its keys. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ submapping: 'submapping', match_behavior: 'submapping', 'dynamic-mapping': 'dynamic-mapping' },
  ...Object.fromEntries(JOBS.flatMap((job) => ['', '-remove'].map((end) => [`${job}-job${end}`, `${job}-job`]))),
};

/** Items are applied from the bottom of the list, and entries of a submapping are tried from its bottom. */
function groupsOf(doc: Doc, item: Tree, complain: Complain): readonly Group[] {
  if (!isDict(item)) return [];
  const keys = [...item.keys.keys()].map((key) => key.replace(/:$/, ''));
  const kinds = [...new Set(keys.map((key) => (Object.hasOwn(KINDS, key) ? KINDS[key]! : key)))];
  if (kinds.length !== 1) complain(problems.itemOfKinds(doc.place(item.at), kinds));
  else if (!Object.values(KINDS).includes(kinds[0]!)) complain(problems.itemUnknown(doc.place(item.at), kinds[0]!));
  const submapping = item.keys.get('submapping')?.value;
  if (submapping === undefined)
    return (['any', 'build', 'reindex', 'noop'] as const).map((of) => ({
      ...{ rules: ruleOf(doc, item, `${of}-job`, complain), isFirst: false, of },
    }));
  const entries = itemsOf(submapping).toReversed();
  const rules = entries.flatMap((one) => ruleOf(doc, one, 'build-job', complain));
  return [{ rules, isFirst: wordOf(valueAt(item, ['match_behavior'])) !== 'merge', of: 'build' }];
}

/** @param key of the attributes: `build-job` */
function ruleOf(doc: Doc, from: Tree, key: string, complain: Complain): readonly Rule[] {
  if (!isDict(from)) return [];
  const [set, remove] = [from.keys.get(key), from.keys.get(`${key}-remove`)];
  const match = from.keys.get('match')?.value;
  if (set === undefined && remove === undefined && match === undefined) return [];
  const patterns = itemsOf(match).flatMap((one) => {
    const text = wordOf(one) ?? '';
    const spec = parseSpec(text);
    if (isUnderstood(spec)) return [spec];
    const why = `the pattern ${JSON.stringify(cut(text))} is not understood: ${spec.why}`;
    complain(problems.pattern(doc.place(one.at), why));
    return [];
  });
  const place = doc.place(set?.at ?? remove?.at ?? from.at);
  const changes = { remove: attributesIn(remove?.value), set: attributesIn(set?.value) };
  return [{ match: match === undefined ? null : patterns, ...changes, place }];
}

function attributesIn(tree: Tree = EMPTY): JsonObject {
  const read = jsonOf(tree);
  return isMap(read) ? read : {};
}
