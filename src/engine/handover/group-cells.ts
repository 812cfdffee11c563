import type { CarriedCells } from './carried-cell.js';
import type { StepProgress } from '../run/step-progress.js';

/** What many cells have in common. */
export interface SharedCells {
  /** Of their times, which differ: the names. */
  readonly times: readonly (keyof StepProgress)[];
  readonly rest: Partial<StepProgress>;
}

/** Cells in fewer characters: the rest of a row is its number in `alike`, then its times, counted from `beganMs`. */
export interface Grouped {
  readonly cells: readonly CarriedCells[];
  readonly alike?: readonly SharedCells[];
}

/** Up to here they travel as they are: people read them, too. */
const MOST_CHARACTERS = 100_000;
/** Where the last of a row stands. */
const REST = 7;

type Row = readonly unknown[];
type Times = Readonly<Record<string, number>>;

/** Twenty thousand steps that wait for the same service, or for a word, say the same: written out, they would be more than the server
 * takes in one payload. */
export function grouped(cells: readonly CarriedCells[], beganMs: number, most = MOST_CHARACTERS): Grouped {
  if (JSON.stringify(cells).length <= most) return { cells };
  const numbers = new Map<string, number>();
  const alike: SharedCells[] = [];
  const rows = cells.map((row): Row => {
    const whole = row[REST];
    if (!whole) return row;
    const times = (Object.keys(whole) as (keyof StepProgress)[]).filter((name) => isTime(name, whole)).sort();
    const rest = Object.fromEntries(
      Object.entries(whole).filter(([name]) => !times.includes(name as keyof StepProgress)),
    );
    const key = JSON.stringify([times, rest]);
    const number = numbers.get(key) ?? alike.push({ times, rest }) - 1;
    numbers.set(key, number);
    return [...row.slice(0, REST), [number, ...times.map((name) => (whole as Times)[name]! - beganMs)]];
  });
  return { cells: rows as unknown as readonly CarriedCells[], alike };
}

/** Each by itself again. */
export function written({ cells, alike }: Grouped, beganMs: number): readonly CarriedCells[] {
  if (alike === undefined) return cells;
  return (cells as readonly Row[]).map((row) => {
    if (!row[REST]) return row;
    const [number, ...sinceMs] = row[REST] as readonly number[];
    const { times, rest } = alike[number!]!;
    const own = Object.fromEntries(times.map((name, at) => [name, sinceMs[at]! + beganMs]));
    return [...row.slice(0, REST), { ...rest, ...own }];
  }) as unknown as readonly CarriedCells[];
}

const isTime = (name: string, rest: Partial<StepProgress>): boolean =>
  name.endsWith('AtMs') || name === 'awaitsMs' ? typeof (rest as Times)[name] === 'number' : false;
