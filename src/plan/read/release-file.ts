import type { z } from 'zod';
import { fail, type Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { KeptEntry, PlanImports } from '../../model/plan.js';
import { SHAPES } from '../../model/schema/entry-forms.js';
import { ReleaseFile } from '../../model/schema/release-file.js';
import type { PlannedSettings } from '../feature.js';
import { problems, REFERENCE } from '../errors.js';
import { inOrder } from '../in-order.js';
import { readYaml, type Source } from './document.js';
import { keysAt, toProblems } from './issues.js';

type Issue = z.core.$ZodIssue;

/** A release file that matches its schema. The planner checks what its names mean. */
export interface ReadFile<T = ReleaseFile> extends Pick<Source, 'file' | 'at'> {
  readonly content: T;
  /** The same before defaults and units. */
  readonly value?: unknown;
  /** Imported entries that are left out, with the reason, by id: `deps/base`. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Entries that imports left out, which are not in the content; and why. Absent: none. */
  readonly assumable?: Readonly<Record<StepId, string>>;
  /** Entries that `--skip`, `--only` or `when` leave out, and why. Absent: none. */
  readonly assumed?: Readonly<Record<StepId, string>>;
  /** Why each `when: { changed }` leaves entries out, by `whenKey`; null: it leaves none out. Absent: none was judged. */
  readonly unchanged?: ReadonlyMap<string, string | null>;
  /** Entries that `when: { changed }` would leave out, and that are planned since others read their files. Absent: none. */
  readonly kept?: readonly KeptEntry[];
  /** Ids of entries that imports judged, whether they made them or not: `wheels/lxml-5.3.0`. Absent: none. */
  readonly judged?: readonly string[];
  /** Imported entries. Absent: none. */
  readonly imports?: PlanImports;
  /** Absent: the file has none. */
  readonly settings?: PlannedSettings;
}

/** Parses a release file. Throws every problem at once. */
export const readReleaseFile = (text: string, file: string): ReadFile => readChecked(text, file, ReleaseFile);

/** Parses another YAML file of ours: profile, queues, platforms. */
export function readChecked<S extends z.ZodType>(text: string, file: string, schema: S): ReadFile<z.output<S>> {
  const source = readYaml(text, file);
  if (!('value' in source)) throw fail(inOrder(source));
  if (source.value === null || typeof source.value !== 'object' || Array.isArray(source.value)) {
    const section = (schema as z.ZodType) === ReleaseFile ? 'release' : (keysAt(schema, [], null)[0] ?? 'control');
    const found = source.value === null ? 'nothing' : Array.isArray(source.value) ? 'a list' : 'a text';
    throw fail(aboutFile(problems.notAMap({ place: { file, line: 1, column: 1 } }, section, found), schema));
  }
  const parsed = schema.safeParse(source.value);
  const found = [
    ...((schema as z.ZodType) === ReleaseFile ? headProblems(source) : []),
    ...toProblems(judged(parsed.error?.issues ?? [], source.value), source, schema),
  ];
  if (!parsed.success || found.length > 0) throw fail(inOrder(found).map((one) => aboutFile(one, schema)));
  return { file, content: parsed.data, value: source.value, at: source.at };
}

/** Reports an entry by the shape that its keys decide. For a union, zod reports the branch with the fewest issues. */
function judged(issues: readonly Issue[], value: object): readonly Issue[] {
  return SHAPES.reduce((all, shape) => judgedAs(all, value, shape), issues);
}

function judgedAs(
  issues: readonly Issue[],
  value: Partial<Readonly<Record<keyof ReleaseFile, unknown>>>,
  { section, key, schema }: (typeof SHAPES)[number],
): readonly Issue[] {
  const entries = Object.entries(value[section] ?? {}).filter(
    ([, one]) => typeof one === 'object' && one !== null && key in one,
  );
  const isTheirs = ({ path }: Issue): boolean => path[0] === section && entries.some(([name]) => name === path[1]);
  return [
    ...issues.filter((issue) => !isTheirs(issue)),
    ...entries.flatMap(([name, one]) =>
      (schema.safeParse(one).error?.issues ?? []).map((issue) => ({
        ...issue,
        path: [section, name, ...issue.path],
      })),
    ),
  ];
}

/** Replaces the reference to documentation: other files are explained in config/. */
const aboutFile = (problem: Problem, schema: z.ZodType): Problem =>
  schema === ReleaseFile || !problem.next.endsWith(REFERENCE) ? problem : { ...problem, next: IN_CONFIG };
const IN_CONFIG = 'Compare it with the file of its kind in config/, which says what each key means.';

/** Returns what is wrong with the head of a release file: it has `release` or `pipeline`, a source, and a
 * release has platforms. */
function headProblems({ value, at }: Source): readonly Problem[] {
  const has = (key: string): boolean => (value as Readonly<Record<string, unknown>>)[key] !== undefined;
  if (!has('release') && !has('pipeline')) return [problems.noHead(at([]))];
  if (has('release') && has('pipeline')) return [problems.twoHeads(at(['pipeline'], 'key'))];
  return [
    ...(has('source') || has('sources') || importsSources(value) ? [] : [problems.missingKey(at([]), 'source')]),
    ...(has('release') && !has('platforms') ? [problems.missingKey(at([]), 'platforms')] : []),
  ];
}

/** Whether an entry makes sources: `wheels.NAME.import: wheel-list`. Its schema is not checked yet. */
function importsSources(value: unknown): boolean {
  const { wheels } = value as { readonly wheels?: unknown };
  return Object.values(wheels ?? {}).some(
    (one: unknown) => (one as { import?: unknown } | null)?.import === 'wheel-list',
  );
}
