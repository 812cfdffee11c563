import type { z } from 'zod';
import { fail, type Problem } from '../../model/failure.js';
import { ReleaseFile } from '../../model/schema/release-file.js';
import { problems, REFERENCE } from '../errors.js';
import { inOrder } from '../in-order.js';
import { readYaml, type Source } from './document.js';
import { keysAt, toProblems } from './issues.js';

/** A release file that keeps to its schema; what its names mean is checked by the planner. */
export interface ReadFile<T = ReleaseFile> extends Pick<Source, 'file' | 'at'> {
  readonly content: T;
}

/** Text → release file; throws every problem at once. */
export const readReleaseFile = (text: string, file: string): ReadFile => readChecked(text, file, ReleaseFile);

/** The same for any YAML file of ours: profiles, queues, platforms. */
export function readChecked<S extends z.ZodType>(text: string, file: string, schema: S): ReadFile<z.output<S>> {
  const source = readYaml(text, file);
  if (!('value' in source)) throw fail(inOrder(source));
  if (source.value === null || typeof source.value !== 'object' || Array.isArray(source.value)) {
    const section = (schema as z.ZodType) === ReleaseFile ? 'release' : (keysAt(schema, [], null)[0] ?? 'control');
    const found = source.value === null ? 'nothing' : Array.isArray(source.value) ? 'a list' : 'a text';
    throw fail(aboutFile(problems.notAMap({ place: { file, line: 1, column: 1 } }, section, found), schema));
  }
  const parsed = schema.safeParse(source.value);
  if (!parsed.success)
    throw fail(inOrder(toProblems(parsed.error.issues, source, schema)).map((one) => aboutFile(one, schema)));
  return { file, content: parsed.data, at: source.at };
}

/** Where to read on: profiles and the like explain themselves in the file that comes with Slipway. */
const aboutFile = (problem: Problem, schema: z.ZodType): Problem =>
  schema === ReleaseFile || !problem.next.endsWith(REFERENCE) ? problem : { ...problem, next: IN_CONFIG };
const IN_CONFIG = 'Compare it with the file of its kind in config/, which says what each key means.';
