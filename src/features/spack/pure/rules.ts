import { cut } from '../../../importers/file-problem.js';
import type { Doc } from '../../../importers/pyyaml/read.js';
import { type Dict, isDict, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';
import type { SourceLocation } from '../../../model/failure.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { satisfies } from './spec/relate.js';
import type { Spec } from './spec/spec.js';

/** Something that changes the tags of jobs, in the order in which it is applied. */
interface Rule {
  /** Patterns; the rule counts for specs that satisfy one of them. Null: for all. */
  readonly match: readonly Spec[] | null;
  readonly remove: readonly string[];
  readonly set: Tags | null;
  readonly place: SourceLocation;
}
interface Tags {
  readonly tags: readonly string[];
  /** True: in place of those that are there. False: before them. */
  readonly replaces: boolean;
}

/** Rules of which either the first hit counts, or all hits. */
interface Group {
  readonly rules: readonly Rule[];
  readonly isFirst: boolean;
}

/** How the jobs of an environment get their tags. */
export interface Rules {
  /** The spec that patterns are compared with: that of the job, or the root that needs it. */
  readonly asks: 'own' | 'root';
  readonly groups: readonly Group[];
}

export interface JobTags {
  readonly tags: readonly string[];
  /** The rule that was applied last. Null: none was. */
  readonly place: SourceLocation | null;
  /** Rules that fit too and give other tags, where only the first one counts. */
  readonly shadowed: readonly SourceLocation[];
}

/** Complaint about a part of the rules. */
type Complain = (place: SourceLocation, why: string) => void;

/** Reads `ci` or `gitlab-ci` of a spack.yaml. Null: it has neither. */
export function readRules(doc: Doc, complain: Complain): Rules | null {
  const [now, before] = [valueAt(doc.tree, ['spack', 'ci']), valueAt(doc.tree, ['spack', 'gitlab-ci'])];
  const items = isDict(now) ? now.keys.get('pipeline-gen')?.value : undefined;
  const mappings = [now, before].flatMap((one) => (isDict(one) ? (one.keys.get('mappings')?.value ?? []) : []))[0];
  if (items !== undefined)
    return { asks: 'own', groups: itemsOf(items).toReversed().flatMap(generated(doc, complain)) };
  if (mappings === undefined) return null;
  const rules = itemsOf(mappings).flatMap((one) =>
    isDict(one) ? ruleOf(doc, one, 'runner-attributes', complain) : [],
  );
  return { asks: 'root', groups: [{ rules, isFirst: true }] };
}

/** @param own the spec of the job
 * @param root the first root that needs it */
export function tagsOf({ asks, groups }: Rules, own: Spec, root: Spec): JobTags {
  const spec = asks === 'own' ? own : root;
  let job: JobTags = { tags: [], place: null, shadowed: [] };
  for (const { rules, isFirst } of groups) {
    const hits = rules.filter(({ match }) => match === null || match.some((one) => satisfies(spec, one)));
    const [first, ...others] = hits;
    if (!isFirst || first === undefined) job = hits.reduce(applied, job);
    else job = { ...applied(job, first), shadowed: [...job.shadowed, ...shadowedBy(first, others)] };
  }
  return job;
}

const shadowedBy = (first: Rule, others: readonly Rule[]): readonly SourceLocation[] =>
  others.filter(({ set }) => set?.tags.join() !== first.set?.tags.join()).map(({ place }) => place);

function applied({ tags, shadowed }: JobTags, { remove, set, place }: Rule): JobTags {
  const left = tags.filter((tag) => !remove.includes(tag));
  const kept = set === null ? left : set.replaces ? [] : left.filter((tag) => !set.tags.includes(tag));
  return { tags: [...(set?.tags ?? []), ...kept], place, shadowed };
}

const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : []);

/** Items are applied from the bottom of the list, and entries of a submapping are tried from its bottom. */
const generated =
  (doc: Doc, complain: Complain) =>
  (item: Tree): readonly Group[] => {
    if (!isDict(item)) return [];
    const submapping = item.keys.get('submapping')?.value;
    if (submapping === undefined)
      return ['any-job', 'build-job'].flatMap((key) => ({ rules: ruleOf(doc, item, key, complain), isFirst: false }));
    const behaviour = item.keys.get('match_behavior')?.value;
    const rules = itemsOf(submapping)
      .toReversed()
      .flatMap((one) => (isDict(one) ? ruleOf(doc, one, 'build-job', complain) : []));
    return [{ rules, isFirst: !(behaviour?.kind === 'scalar' && behaviour.text === 'merge') }];
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
      remove: tagsIn(remove?.value)?.tags ?? [],
      set: tagsIn(set?.value),
      place: doc.place(set?.at ?? remove?.at ?? from.at),
    },
  ];
}

/** Reads `tags`, or `tags::`, which replaces. YAML takes the last colon of the key. */
function tagsIn(attributes: Tree | undefined): Tags | null {
  if (!isDict(attributes)) return null;
  const [added, replaced] = [attributes.keys.get('tags')?.value, attributes.keys.get('tags:')?.value];
  const tags = itemsOf(replaced ?? added).flatMap((one) => (one.kind === 'scalar' ? [one.text] : []));
  return added === undefined && replaced === undefined ? null : { tags, replaces: replaced !== undefined };
}
