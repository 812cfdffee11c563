import { z } from 'zod';
import { type Complain, quoted, some } from '../../../../importers/file-problem.js';
import type { Doc } from '../../../../importers/pyyaml/read.js';
import { isDict, jsonOf, textAt, type Tree, valueAt } from '../../../../importers/pyyaml/tree.js';
import { fail, type Problem, SlipwayFailure, type SourceLocation } from '../../../../model/failure.js';
import { compileExpression } from '../../../../model/schema/expression.js';
import type { Json } from '../../../../model/json.js';
import { follow } from './document.js';
import { problems } from './errors.js';
import { type Merge, sourceOf } from './merge.js';
import { isPath, type Path, pathText, readPath } from './path.js';

/** Keywords that z.fromJSONSchema refuses, or checks with expressions of JavaScript where nothing can replace them. */
const REFUSED =
  /^(if|then|else|not|dependent(Required|Schemas)|dependencies|unevaluated(Items|Properties)|patternProperties|propertyNames|contains)$/;
/** Keywords that z.fromJSONSchema ignores without a type. */
const TYPED =
  /^(properties|required|additionalProperties|items|prefixItems|min.+|max.+|exclusive.+|multipleOf|pattern|format|uniqueItems)$/;
/** Keywords whose keys are names. */
const NAMING = ['properties', '$defs', 'definitions'];
/** Keywords whose value is data. */
const DATA = ['enum', 'const', 'default', 'examples'];
/** A check takes as long as so many copied entries. A model of few lines may ask for 2^50. */
const CHECK = 50;
/** A pattern takes a millisecond to compile. */
const MOST_PATTERNS = 1_000;
const TOLD = 10;

export interface Model {
  readonly path: Path;
  readonly file: string;
  /** Returns what does not follow the model. Throws a failure without problems if the work is used up. */
  check(
    value: Json,
    work: (count: number) => boolean,
  ): readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** Reads a JSON Schema. Null, with a complaint, if it is none or has a refused keyword.
 * @param key path of the value that follows the model, as the section writes it at `place` */
export function readModel(doc: Doc, key: string, place: SourceLocation | undefined, complain: Complain): Model | null {
  const path = readPath(key);
  if (!isPath(path)) complain(problems.path(place, key, path));
  const { file } = doc;
  try {
    const refused = refusedIn(doc.tree, doc, new Map());
    refused.forEach(complain);
    if (refused.length > 0 || !isPath(path)) return null;
    return { path, file, check: checkOf(z.fromJSONSchema(jsonOf(doc.tree) as never)) };
  } catch (error) {
    complain(problems.modelBroken({ file }, wordsOf(error)));
    return null;
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof RangeError) return 'references, or schemas in schemas, lead too deep';
  return error instanceof SlipwayFailure ? error.first.message : (error as Error).message;
}

/** Returns a problem for each reference that leads back to itself before it enters a property or an item.
 * @param open schemas that were walked: true while the walk is inside one */
function loopsIn(tree: Tree | undefined, doc: Doc, open: Map<Tree, boolean>): readonly Problem[] {
  if (tree?.kind === 'list') return tree.items.flatMap((item) => loopsIn(item, doc, open));
  if (!isDict(tree) || open.has(tree)) return [];
  open.set(tree, true);
  const [ref, to = ''] = [tree.keys.get('$ref'), textAt(tree, '$ref')];
  const target = to.startsWith('#') ? valueAt(doc.tree, to.split('/').slice(1)) : undefined;
  const loop = target !== undefined && open.get(target) === true;
  const inner = [target, ...['allOf', 'anyOf', 'oneOf'].map((key) => tree.keys.get(key)?.value)];
  const found = inner.flatMap((one) => loopsIn(one, doc, open));
  open.set(tree, false);
  return loop ? [problems.modelBroken(doc.place(ref!.at), `${quoted(to)} leads back to itself`), ...found] : found;
}

function refusedIn(tree: Tree, doc: Doc, open: Map<Tree, boolean>): readonly Problem[] {
  if (tree.kind === 'list') return tree.items.flatMap((item) => refusedIn(item, doc, open));
  if (!isDict(tree)) return [];
  const idle = tree.keys.has('type') ? undefined : [...tree.keys].find(([key]) => TYPED.test(key));
  const untyped = idle === undefined ? [] : [problems.modelUntyped(doc.place(idle[1].at), idle[0])];
  const inner = [...tree.keys].flatMap(([key, { value, at }]) => {
    if (REFUSED.test(key)) return [problems.modelKeyword(doc.place(at), key)];
    if (DATA.includes(key)) return [];
    if (!NAMING.includes(key) || !isDict(value)) return refusedIn(value, doc, open);
    return [...value.keys.values()].flatMap((one) => refusedIn(one.value, doc, open));
  });
  return [...untyped, ...loopsIn(tree, doc, open), ...inner];
}

/** Lets re2js check every pattern, and counts checks. An expression of JavaScript can take exponential time. */
function checkOf(schema: z.ZodType): Model['check'] {
  const seen = new Set<unknown>();
  let patterns = 0;
  let work: (count: number) => boolean;
  const count = (size: number): void => {
    if (!work(CHECK + 4 * size)) throw fail([]);
  };
  const visit = (one: unknown): void => {
    if (typeof one !== 'object' || one === null || seen.has(one)) return;
    seen.add(one);
    const inner = (one as { readonly _zod?: z.core.$ZodType['_zod'] })._zod;
    if (inner === undefined) return Object.values(one).forEach(visit);
    const def = inner.def as unknown as Record<string, unknown>;
    if (def['pattern'] instanceof RegExp && def['format'] === 'regex') {
      patterns += 1;
      if (patterns > MOST_PATTERNS) throw fail(problems.tooLarge(undefined, `${MOST_PATTERNS} patterns in its model`));
      const { source } = def['pattern'];
      const { test } = compileExpression(source);
      const counted = (text: string): boolean => (count(10 * text.length), test(text));
      def['pattern'] = { lastIndex: 0, toString: () => source, test: counted };
    }
    if ('run' in inner) {
      const { run } = inner;
      inner.run = (payload, context) => {
        const { value } = payload;
        count(Object.keys(typeof value === 'object' ? (value ?? {}) : {}).length);
        return run(payload, context);
      };
    }
    visit(typeof def['getter'] === 'function' ? (def['getter'] as () => unknown)() : null);
    for (const key of Object.keys(def)) visit(def[key]);
  };
  visit(schema);
  return (value, given) => {
    work = given;
    return schema.safeParse(value, { error: shortened }).error?.issues.slice(0, TOLD) ?? [];
  };
}

/** The library names every value and every key in each message. Undefined: its message is short. */
function shortened(issue: z.core.$ZodRawIssue): string | undefined {
  const { values, keys = [] } = issue as { readonly values?: readonly string[]; readonly keys?: readonly string[] };
  const all = values ?? keys;
  const what = values ? 'Invalid option: expected one of' : 'Unrecognized keys:';
  return all.length > TOLD ? `${what} ${some(all)}` : undefined;
}

/** Checks a document by a model. Each problem has the line or option that the value comes from. */
export function checkModel(merge: Merge, tree: Tree, { path, file, check }: Model): void {
  const found = follow(tree, path);
  if (found.left > 0) return merge.complain(problems.modelIdle({ file }, pathText(path), file));
  const work = (count: number): boolean => merge.work(count, { file });
  try {
    for (const { path: inner, message } of check(jsonOf(found.value), work)) {
      const at = [...found.path, ...(inner as Path)];
      merge.complain(problems.model(sourceOf(merge, at), pathText(at), file, message));
    }
  } catch (error) {
    const isUsedUp = error instanceof SlipwayFailure && error.problems.length === 0;
    if (!isUsedUp) merge.complain(problems.modelBroken({ file }, wordsOf(error)));
  }
}
