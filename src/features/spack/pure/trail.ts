import type { SourceLocation } from '../../../model/failure.js';
import type { Json, JsonObject } from '../../../model/json.js';
import type { Row } from '../../../model/rows.js';
import { isMap } from './attributes.js';
import type { Rule } from './rules.js';

type Trail = NonNullable<Row['trail']>;

/** Attributes of jobs that runs read. */
const READ = /^(tags|variables|image)[:+-]?$/;

/** What rules say of the attributes that a run reads, in the order in which they are applied. */
export const trailOf = (rules: readonly Rule[]): Trail =>
  rules.flatMap(({ set, remove, place }) => [...said(remove, 'takes away', place), ...said(set, 'sets', place)]);

const said = (attributes: JsonObject | null, words: string, place: SourceLocation): Trail =>
  Object.entries(attributes ?? {}).flatMap(([key, value = null]) =>
    READ.test(key) ? [{ key, words, value: textOf(value), place }] : [],
  );

const textOf = (value: Json): string =>
  Array.isArray(value)
    ? value.map(textOf).join(', ')
    : isMap(value)
      ? textOf(Object.entries(value).map(([key, one = null]) => `${key}=${textOf(one)}`))
      : String(value);
