import type { PackedIds } from './packed-skeleton.js';

/** One value for each step, as a text: `value*n` stands for n of them in a row. Values hold neither `,` nor `*`. */
export function column(values: readonly (string | number)[]): string {
  const runs: string[] = [];
  for (let at = 0; at < values.length;) {
    let end = at + 1;
    while (end < values.length && values[end] === values[at]) end++;
    runs.push(end - at > 1 ? `${values[at]}*${end - at}` : `${values[at]}`);
    at = end;
  }
  return runs.join(',');
}

/** @param count of steps: a column of one empty value looks like one of none */
export function ofColumn(text: string, count: number): readonly string[] {
  if (count === 0) return [];
  return text.split(',').flatMap((run) => {
    const [value, times = '1'] = run.split('*');
    return Array.from({ length: Number(times) }, () => value!);
  });
}

/** Ids that count on from the one before cost nothing, others what they do not share with its beginning. */
export function packedIds(ids: readonly string[]): PackedIds {
  const packed: (number | string)[] = [];
  let before = '';
  for (const id of ids) {
    const last = packed.at(-1);
    if (id !== following(before)) {
      const shared = sharedStart(before, id);
      packed.push(shared, id.slice(shared));
    } else if (typeof last === 'number') packed[packed.length - 1] = last - 1;
    else packed.push(-1);
    before = id;
  }
  return packed;
}

/** How many characters both begin with. */
function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at;
}

export function ofIds(packed: PackedIds): readonly string[] {
  const ids: string[] = [];
  let id = '';
  for (let at = 0; at < packed.length; at++) {
    const entry = packed[at] as number;
    if (entry >= 0) ids.push((id = id.slice(0, entry) + packed[++at]));
    for (let more = entry; more < 0; more++) ids.push((id = following(id)!));
  }
  return ids;
}

/** The id with the number at its end counted on by one, in as many digits; null: none stands there. */
function following(id: string): string | null {
  const number = /\d{1,15}$/.exec(id)?.[0];
  if (number === undefined) return null;
  return id.slice(0, -number.length) + String(Number(number) + 1).padStart(number.length, '0');
}

/** Numbers in their order, each as it is written; `d+n`: and the n that follow it.
 * @param write a number, in a form that holds neither blanks nor `+` */
export function inRuns(numbers: readonly number[], write: (number: number) => string, base = 10): string {
  const runs: string[] = [];
  for (let at = 0; at < numbers.length;) {
    let more = 0;
    while (numbers[at + more + 1] === numbers[at]! + more + 1) more++;
    runs.push(`${write(numbers[at]!)}${more > 0 ? `+${more.toString(base)}` : ''}`);
    at += more + 1;
  }
  return runs.join(' ');
}

/** Edges as distances back from their step, in base 36. */
export const packedEdges = (numbers: readonly number[], from: number): string =>
  inRuns(numbers, (number) => (from - number).toString(36), 36);

const NONE: readonly number[] = [];

export function ofEdges(text: string, from: number): readonly number[] {
  if (text === '') return NONE;
  return text.split(' ').flatMap((run) => {
    const [back, more = '0'] = run.split('+');
    const first = from - Number.parseInt(back!, 36);
    return Array.from({ length: Number.parseInt(more, 36) + 1 }, (_, at) => first + at);
  });
}
