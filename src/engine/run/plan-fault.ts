import { skeleton } from '../../model/answers.js';
import * as is from '../../model/check.js';
import { MOST_STEPS } from '../../model/plan-size.js';
import type { Skeleton } from '../../model/plan.js';
import { unpacked } from '../handover/packed.js';

const LONGEST = 4_000_000;
/** Steps and edges that the numbers of a packed plan may stand for. */
const MOST_UNPACKED = 400 * MOST_STEPS;
const column = is.text(LONGEST);
const packed = is.shape({
  packed: is.oneOf(1, 2),
  count: is.whole(0, 10 * MOST_STEPS),
  numbers: column,
  shapes: is.list((value) => (is.isObject(value) ? null : 'is no object'), 10 * MOST_STEPS),
  gates: is.list(
    (value) => (Array.isArray(value) && is.isObject(value[1]) ? is.whole()(value[0]) : 'is no gate'),
    1000,
  ),
});
const columns = is.shape({ ids: is.list(is.either(is.whole(-10 * MOST_STEPS), is.text(300)), 20 * MOST_STEPS) });

/** Returns why the answer of `makePlan` is not a plan. Null if it is one. Any program that takes tasks of the queue can answer. */
export function planFault(made: unknown): string | null {
  if (!is.isObject(made)) return 'is no object';
  if (!('packed' in made)) return skeleton(made) ?? edgesFault(made as unknown as Skeleton);
  const fault = packed(made) ?? (made['packed'] === 2 ? columns(made) : null) ?? sizeFault(made);
  if (fault !== null) return fault;
  try {
    const { known: _, ...whole } = unpacked(made as never);
    return skeleton(whole) ?? edgesFault(whole);
  } catch {
    return 'cannot be unpacked';
  }
}

/** Counts before expanding. A text of a few characters could stand for more numbers than memory holds. */
function sizeFault(made: Readonly<Record<string, unknown>>): string | null {
  const textOf = (name: string): string => (typeof made[name] === 'string' ? made[name] : '');
  const ids = (made['ids'] ?? []) as readonly (number | string)[];
  const rows = JSON.stringify(made['steps'] ?? []).match(/\+\d+/g) ?? [];
  const total =
    ids.reduce<number>((sum, one) => sum + (typeof one === 'number' && one < 0 ? -one : 0), 0) +
    rows.reduce((sum, run) => sum + Number(run), numbersIn(textOf('numbers'), 10)) +
    COLUMNS.reduce((sum, name) => sum + columnSize(textOf(name)), 0);
  // This refuses NaN too.
  return total <= MOST_UNPACKED ? null : `stands for ${total} numbers; at most ${MOST_UNPACKED} are taken`;
}
const COLUMNS = ['shape', 'expectedMs', 'needs', 'wants', 'after'] as const;

/** Returns how many numbers `value*times,…` stands for. */
const columnSize = (text: string): number =>
  text.split(',').reduce((sum, run) => {
    const [value = '', times = '1'] = run.split('*');
    return sum + numbersIn(value, 36) * Number(times);
  }, 0);

/** Returns how many numbers `d+n d …` stands for. */
const numbersIn = (text: string, base: number): number =>
  text.split(' ').reduce((sum, run) => sum + 1 + Number.parseInt(run.split('+')[1] ?? '0', base), 0);

function edgesFault({ steps }: Skeleton): string | null {
  const strange = steps.find(({ needs, wants, after }) =>
    [...needs, ...wants, ...after].some((on) => on >= steps.length),
  );
  return strange === undefined ? null : `has an edge of ${JSON.stringify(strange.id)} to a step that it does not have`;
}
